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
}

var repeats = []string{"every", "times", "until"}

// verbSpecs has every verb that is supported.
var verbSpecs = []verbSpec{
	{Pause, words("who for"), repeats},
	{Stall, words("who for"), repeats},
	{Kill, words("who"), repeats},
	{Stop, words("who"), words("timeout group-membership-operation every times until")},
	{Start, words("who"), words("every times until client config")},
	{Restart, words("who"), words("down graceful timeout group-membership-operation every times until client config")},
	{RollingRestart, words("who"), words("down gap batch graceful timeout group-membership-operation every times until client config")},
	{Scale, words("who to"), repeats},
	{CrashLoop, words("who up"), words("down until")},
	{Drop, words("who for"), words("direction held broker every times until")},
	{Reset, words("who"), repeats},
	{Delay, words("who add for"), words("direction every times until")},
	{AbandonMemberID, words("who"), repeats},
	{SlowAssign, words("who for"), repeats},
	{SlowRevoke, words("who for"), repeats},
	{ThrowInCallback, words("who"), repeats},
	{FreezeInAssign, words("who for"), repeats},
	{HoldLeaderSync, words("for"), words("who group every times until")},
	{RawJoin, words("group version mode"), words("hold every times until")},
	{Subscribe, words("who"), words("topics pattern every times until")},
	{Unsubscribe, words("who"), repeats},
	{EnforceRebalance, words("who"), repeats},
	{Configure, words("who config"), nil},
	{BrokerRestart, words("broker down"), words("graceful every times until")},
	{MoveCoordinator, words("group"), repeats},
	{SlowAppend, words("append for"), words("group every times until")},
	{FailAppend, words("error"), words("for group every times until")},
	{Commit, nil, words("who group topics every times until")},
	{DeleteGroup, words("group"), repeats},
	{DeleteOffsets, words("group topics"), repeats},
	{RemoveMembers, words("group"), words("who every times until")},
	{Partitions, words("topic count"), nil},
	{CreateTopic, words("topic count"), nil},
	{DeleteTopic, words("topic"), nil},
}

// laterVerbs have a meaning but no code yet.
var laterVerbs = words("block-rebalance")

// meanings says of each key of an event what it is for.
var meanings = map[string]string{
	"at":                         "when it happens",
	"do":                         "what happens",
	"who":                        "whom it happens to",
	"for":                        "how long it lasts",
	"down":                       "how long the process, or the broker, is away",
	"gap":                        "from one start to the next stop",
	"batch":                      "how many restart at once",
	"graceful":                   "whether the process ends in order",
	"timeout":                    "how long close() waits for the coordinator",
	"group-membership-operation": "whether close() leaves the group",
	"to":                         "how many members there are to be",
	"up":                         "how long the process runs",
	"until":                      "the last instant",
	"direction":                  "both, out or in",
	"held":                       "whether bytes are kept until the heal",
	"broker":                     "which one: a number or coordinator(GROUP)",
	"append":                     "how long an append takes",
	"error":                      "what the log refuses with",
	"add":                        "how much is added one way",
	"group":                      "which group it is about",
	"topics":                     "which topics it is about",
	"pattern":                    "which topics, as a regular expression",
	"topic":                      "which topic it is about",
	"count":                      "how many partitions there are then",
	"every":                      "how far apart the repetitions are",
	"times":                      "how often it happens",
	"version":                    "which version its JoinGroup has",
	"mode":                       "what the client does",
	"hold":                       "how long the client stays once it has joined",
	"client":                     "what it comes back with",
	"config":                     "the settings with which it starts",
}

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
	if !t.must("do", meanings["do"]) {
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
