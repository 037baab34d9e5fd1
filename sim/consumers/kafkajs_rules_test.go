package consumers

// kafkaJSRules are the numbers of the behaviour specification of Kafka clients, section 3.4.
const kafkaJSRules = "K1 K2 K3 K4 K5"
