package consumers

// pythonRules are the numbers of the behaviour specification of Kafka clients, section 3.6, which has one for both
// Python clients.
const pythonRules = "Y1"
