package wire

// TxnOffsetCommitRequest is the body of a TxnOffsetCommit: offsets that count once the transaction of the
// producer is committed. It is answered by an OffsetCommitResponse.
type TxnOffsetCommitRequest struct {
	OffsetCommitRequest
	ProducerID    int64
	ProducerEpoch int16
}

// WriteTxnMarkersRequest is the body of a WriteTxnMarkers, as far as one partition of the offsets topic
// sees it: the transaction of a producer ends.
type WriteTxnMarkersRequest struct {
	ProducerID    int64
	ProducerEpoch int16
	Commit        bool // false aborts
}

// OffsetFetchRequest is the body of an OffsetFetch for one group.
type OffsetFetchRequest struct {
	RequireStable bool
	All           bool // every partition that has an offset, instead of Partitions
	Partitions    []TopicPartition
}

// OffsetFetchResponse is the body of an OffsetFetch response.
type OffsetFetchResponse struct {
	Offsets []FetchedOffset
}

// FetchedOffset is the result for one partition; without an offset, Offset and LeaderEpoch are -1.
type FetchedOffset struct {
	TopicPartition
	Offset      int64
	LeaderEpoch int32
	Metadata    string
	Err         Err
}

// OffsetDeleteRequest is the body of an OffsetDelete.
type OffsetDeleteRequest struct {
	Partitions []TopicPartition
}

// OffsetDeleteResponse is the body of an OffsetDelete response. It has no partitions when the whole
// request is refused.
type OffsetDeleteResponse struct {
	Partitions []PartitionError
}
