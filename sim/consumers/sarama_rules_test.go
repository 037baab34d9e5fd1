package consumers

// saramaRules are the numbers of the behaviour specification of Kafka clients, section 3.3.
const saramaRules = "S1 S2 S3 S4 S5 S6 S7"
