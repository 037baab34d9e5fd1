package consumers

// kafkaGoRules are the numbers of the behaviour specification of Kafka clients, section 3.5.
const kafkaGoRules = "G1 G2 G3 G4"
