// Package bench compares the simulator with what else there is to answer the same questions, side by side in one run:
// with a fake broker and real clients on a virtual clock (kfake, kgo and testing/synctest), with a simulation library
// of another language (SimPy), and its queue with other priority queues of Go. It is a module of its own, so that the
// simulator needs none of what it is compared with.
//
// Everything runs as a test, for only a test gets a virtual clock from testing/synctest:
//
//	go test                            # everything once, briefly: do all sides do the same work?
//	go test -run Peers -full           # the tables of "make bench-peers"
//	go test -run 'Growth|Fast' -full   # those of "make bench-growth"
//
// What is compared runs in turns, several times, and the table has the medians: whatever else the machine does befalls
// all of them. Ratios can be trusted more than times.
package bench
