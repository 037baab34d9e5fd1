package coordinator

// Term follows the leader epochs of a partition of the offsets topic: it knows which elections and
// resignations a broker heeds. The zero Term has not been elected.
//
// Kafka: CoordinatorRuntime.scheduleLoadOperation and scheduleUnloadOperation.
type Term struct {
	elected bool
	epoch   int32
}

// Elected reports whether the shard must load because this broker leads the partition in an epoch. A
// shard that is loaded, or loading, only takes note of a newer epoch.
func (t *Term) Elected(epoch int32) bool {
	if t.elected {
		t.epoch = max(t.epoch, epoch)
		return false
	}
	*t = Term{elected: true, epoch: epoch}
	return true
}

// Resigned reports whether the shard must unload. Only a newer epoch counts, and the deletion of the
// topic, which has none.
func (t *Term) Resigned(epoch int32, hasEpoch bool) bool {
	if !t.elected || hasEpoch && epoch <= t.epoch {
		return false
	}
	*t = Term{}
	return true
}
