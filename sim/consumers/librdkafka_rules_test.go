package consumers

// librdkafkaRules are the numbers of the behaviour specification of Kafka clients, section 3.1.
const librdkafkaRules = "L1 L2 L3 L4 L5 L6 L7 L8 L9"
