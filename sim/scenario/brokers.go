package scenario

import (
	"slices"
	"strings"
	"time"

	"simulate/sim/random"
	"simulate/sim/wire"
)

// mostBrokers bounds a cluster; Kafka has no bound.
const mostBrokers = 1000

// DefaultLoad is how long a new coordinator reads a small partition of the offsets topic, as measured on clusters of
// Kafka 4.4.
var DefaultLoad = random.LogNormal(10*time.Millisecond, 100*time.Millisecond)

// brokers reads how many brokers there are and how quick their logs are.
func (l *loader) brokers(t *table, s *Scenario) {
	s.Brokers = int(t.number("count", 1, 1, mostBrokers))
	s.Append = t.distribution("append", random.Constant(defaultAppend))
	s.Load = t.distribution("load", DefaultLoad)
	t.done()
}

// eventBroker reads the broker that an event is about: its number, or coordinator(GROUP).
func (l *loader) eventBroker(t *table, e *Event) {
	path := t.at("broker")
	text, isText := t.values["broker"].(string)
	if !isText {
		e.Broker = int32(t.number("broker", 0, 1, mostBrokers))
		return
	}
	verb, group, ok := call(text)
	switch {
	case !ok || verb != "coordinator":
		l.wrong(path, "broker is %s; write a number or coordinator(GROUP)", quote(text))
	case !l.cast.knowsGroup(group):
		l.wrong(path, "%s", l.cast.noGroup(group))
	}
	e.CoordinatorOf = group
}

// logErrors are those that a log can refuse a batch with (Kafka: CoordinatorOperationExceptionHelper and the
// group coordinator's own translation).
var logErrors = []wire.Err{
	wire.NotEnoughReplicas, wire.NotEnoughReplicasAfter, wire.RequestTimedOut, wire.NotLeaderOrFollower,
	wire.KafkaStorageError, wire.UnknownTopicOrPartition, wire.MessageTooLarge, wire.RecordListTooLarge,
	wire.InvalidFetchSize, wire.NetworkException, wire.UnknownServerError,
}

// eventError reads the error that the log refuses batches with.
func (l *loader) eventError(t *table) wire.Err {
	name := t.text("error", "")
	if !t.has("error") || l.bad[t.at("error")] {
		return wire.None
	}
	err, ok := wire.ParseErr(name)
	if !ok || !slices.Contains(logErrors, err) {
		l.wrong(t.at("error"), "no log answers %s; write one of %s", quote(name), strings.Join(logErrorNames(), ", "))
	}
	return err
}

func logErrorNames() []string {
	names := make([]string, len(logErrors))
	for i, e := range logErrors {
		names[i] = e.String()
	}
	return names
}

// checkBroker makes sure that the brokers of an event exist.
func (v *validator) checkBroker(path string, e *Event) {
	switch n := v.s.Brokers; {
	case e.Do == MoveCoordinator && n == 1:
		v.wrong(path+".do", "move-coordinator needs several brokers; write count in [brokers]")
	case int(e.Broker) > n && !v.bad[path+".broker"]:
		v.wrong(path+".broker", "no broker %d; [brokers] has a count of %d", e.Broker, n)
	}
}
