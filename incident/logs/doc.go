// Package logs reads what brokers and clients log about consumer groups, from 0.10 to 4.x, in any envelope, and turns
// it into events.
//
// A source is a file, compressed or not, or a stream. From its bytes come lines, from lines records (a record has a
// stamp, a message, and what the envelope says of who wrote it), from records events. Events of all sources are
// put in order of time, and what was logged twice is dropped. What a log means for a group is for package incident
// to say; here is only what it says.
//
// A message is found by what it says and not by where it stands: first a literal of the message, and then, left of it, the
// nearest stamp and the rest of the envelope. So any prefix is taken that somebody's shipping has put before it.
//
// Samples of states are read, too: scrapes of metrics, and what kafka-consumer-groups prints again and again. Their events are
// GroupObserved and say how a group was at a moment.
//
// Memory does not grow with the length of a log: what is held is one long line, a window of events to sort, and a
// bounded table of names.
package logs
