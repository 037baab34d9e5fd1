// Package advice finds out which changes of a scenario would have helped with a stuck stay, and tries them.
//
// Propose reads from the recorded chain of waiting which settings, and which events of the scenario, may end the stay
// earlier or spare the member that the group waited for. Verify runs the scenario again with each, with the same seed
// and so with the same random streams, and keeps beside it what came of it, better or worse. What no run has shown is
// no advice.
//
// A change is one --set KEY=VALUE, so that anybody can repeat it. Changes that only help together are not found, nor
// are those of a broker's log, of member ids that no fleet owns, and of settings that an event gives a process.
//
//	report, err := check.Run(ctx, loaded)
//	if err != nil {
//		return err
//	}
//	err = advice.Verify(ctx, &report, loaded.Scenario, advice.Options{Load: source.Load})
package advice
