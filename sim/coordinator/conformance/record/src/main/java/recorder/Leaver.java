package recorder;

/** A member of a LeaveGroup. */
record Leaver(String memberId, String instanceId, String reason) {}
