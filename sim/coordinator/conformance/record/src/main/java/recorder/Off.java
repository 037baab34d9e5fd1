package recorder;

/** An offset of a commit; leaderEpoch is -1 where there is none. */
record Off(String topic, int partition, long offset, int leaderEpoch, String metadata) {}
