package scenario

import (
	"slices"
	"strings"
)

// verbSpec says which keys an event takes, beside at and do, in the order in which they are printed.
type verbSpec struct {
	verb  Verb
	needs []string
	takes []string
	does  string // in a line, for the documentation
}

var repeats = []string{"every", "times", "until"}

// verbSpecs has every verb that is supported.
var verbSpecs = []verbSpec{
	{Pause, words("who for"), repeats, "freezes whole processes, as a garbage collection or SIGSTOP does"},
	{Stall, words("who for"), repeats, "the application does not poll; its heartbeats go on"},
	{Kill, words("who"), repeats, "SIGKILL: nobody is told"},
	{Stop, words("who"), words("timeout group-membership-operation every times until"), "closes the consumer in order"},
	{Start, words("who"), words("every times until client config"), "starts processes that do not run; `config` changes settings of the fleet"},
	{Restart, words("who"), words("down graceful timeout group-membership-operation every times until client config"), "stops a process, or kills it, and starts it again"},
	{RollingRestart, words("who"), words("down gap batch graceful timeout group-membership-operation every times until client config"), "one after the other, in number order"},
	{Rollout, words("who kind"), words("max-surge max-unavailable min-ready every times until client config"), "replaces the pods of a fleet as a Deployment or a StatefulSet does, each as soon as enough others are ready"},
	{Scale, words("who to"), repeats, "starts or stops members"},
	{CrashLoop, words("who up"), words("down until"), "starts and kills, again and again"},
	{Drop, words("who for"), words("direction held broker every times until"), "cuts the link; what is lost is sent again as TCP does"},
	{Reset, words("who"), repeats, "resets all TCP connections"},
	{Delay, words("who add for"), words("direction every times until"), "makes the link slower"},
	{AbandonMemberID, words("who"), repeats, "somebody asks for a member id and vanishes"},
	{SlowAssign, words("who for"), repeats, "the next assignment as leader takes longer"},
	{SlowRevoke, words("who for"), repeats, "the next `onPartitionsRevoked` takes longer"},
	{ThrowInCallback, words("who"), repeats, "the next callback throws"},
	{FreezeInAssign, words("who for"), repeats, "the process freezes in its next assignment"},
	{HoldLeaderSync, words("for"), words("who group every times until"), "the network keeps the leader's next SyncGroup"},
	{RawJoin, words("group version mode"), words("hold every times until"), "a client that is no consumer joins by hand: `vanish-after-id`, `send-and-vanish`, `hold-after-join`"},
	{Subscribe, words("who"), words("topics pattern every times until"), "changes the subscription, before the next `poll()`; from topics to a pattern or back, `unsubscribe` first"},
	{Unsubscribe, words("who"), repeats, "leaves the group; the application waits for a subscription"},
	{EnforceRebalance, words("who"), repeats, "calls `enforceRebalance()`"},
	{Configure, words("who config"), nil, "the processes start with these settings from now on"},
	{BrokerRestart, words("broker down"), words("graceful every times until"), "a broker stops in order, or is killed, and comes back"},
	{MoveCoordinator, words("group"), repeats, "another broker leads the group's partition"},
	{SlowAppend, words("append for"), words("group every times until"), "the log is slow"},
	{FailAppend, words("error"), words("for group every times until"), "the log refuses"},
	{Commit, nil, words("who group topics every times until"), "`commitAsync()`, or an administrator who sets offsets"},
	{DeleteGroup, words("group"), repeats, "an administrator deletes the group"},
	{DeleteOffsets, words("group topics"), repeats, "an administrator deletes the group's offsets of topics"},
	{RemoveMembers, words("group"), words("who every times until"), "an administrator removes members, or all"},
	{Partitions, words("topic count"), nil, "the topic has more partitions from then on; consumers learn of it by their refreshes"},
	{CreateTopic, words("topic count"), nil, "the topic is there from then on; consumers learn of it by their refreshes"},
	{DeleteTopic, words("topic"), nil, "the topic is gone; consumers learn of it by their refreshes"},
}

// laterVerbs have a meaning but no code yet.
var laterVerbs = words("block-rebalance")

// meaning says what a key of an event is for.
func meaning(name string) string { return find(eventKeys, name).means }

func words(text string) []string { return strings.Fields(text) }

func verbNamed(name string) *verbSpec {
	i := slices.IndexFunc(verbSpecs, func(v verbSpec) bool { return string(v.verb) == name })
	if i < 0 {
		return nil
	}
	return &verbSpecs[i]
}

// keys are all that the verb takes beside at and do.
func (v *verbSpec) keys() []string { return slices.Concat(v.needs, v.takes) }

// verb reads do; nil when it is none that is supported.
func (l *loader) verb(t *table) *verbSpec {
	if !t.must("do") {
		return nil
	}
	name := t.text("do", "")
	v := verbNamed(name)
	switch {
	case v != nil || l.bad[t.at("do")]:
	case slices.Contains(laterVerbs, name):
		l.wrong(t.at("do"), "%s is not supported yet", name)
	default:
		hint := didYouMean(name, verbNames())
		if hint == "" {
			hint = "; the verbs are " + strings.Join(verbNames()[:len(verbSpecs)], ", ")
		}
		l.wrong(t.at("do"), "unknown verb %s%s", quote(name), hint)
	}
	return v
}

func verbNames() []string {
	var names []string
	for _, v := range verbSpecs {
		names = append(names, string(v.verb))
	}
	return append(names, laterVerbs...)
}
