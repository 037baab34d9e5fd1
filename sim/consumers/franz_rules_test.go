package consumers

// franzRules are the numbers of the behaviour specification of Kafka clients, section 3.2.
const franzRules = "F1 F2 F3 F4 F5 F6"
