package consumers

import (
	"errors"

	"simulate/sim/assignors"
	"simulate/sim/wire"
)

// failure is what a join failed with. Kafka: the exception of AbstractCoordinator.joinFuture.
type failure struct {
	err       wire.Err // that the coordinator answered with; UnknownServerError when the client itself threw
	exception string   // the simple name of its class
	then      afterFailure
}

// afterFailure says what the next iteration of the join step does about a failure.
type afterFailure uint8

const (
	throwIt      afterFailure = iota // poll() throws the exception
	rejoinAtOnce                     // without any back-off
	rejoinLater                      // after retry.backoff.ms
)

// failureOf returns the failure that an error code stands for: its exception class decides what follows.
func failureOf(err wire.Err) failure {
	f := failure{err: err, exception: exceptionName(err)}
	switch err {
	case wire.MemberIDRequired, wire.UnknownMemberID, wire.IllegalGeneration, wire.RebalanceInProgress:
		f.then = rejoinAtOnce
	case wire.NetworkException, wire.NotCoordinator, wire.CoordinatorNotAvailable, wire.CoordinatorLoadInProgress:
		f.then = rejoinLater
	}
	return f
}

// mayPass reports whether it helps to ask again after an error. Kafka: RetriableException.
func mayPass(err wire.Err) bool {
	switch err {
	case wire.NetworkException, wire.NotCoordinator, wire.CoordinatorNotAvailable, wire.CoordinatorLoadInProgress,
		wire.RequestTimedOut, wire.UnknownTopicOrPartition, wire.UnstableOffsetCommit:
		return true
	}
	return false
}

// unexpected returns the failure by an error that the handler of the response does not know.
func unexpected(err wire.Err) failure { return failure{err: err, exception: "KafkaException"} }

// thrown returns the failure by an exception of the leader's assignor, or of reading its assignment.
func thrown(err error) failure {
	f := unexpected(wire.UnknownServerError)
	var e assignors.Exception
	if errors.As(err, &e) {
		f.exception = string(e)
	}
	return f
}

// joinFails ends the attempt to join. The poll thread decides what follows.
func (p *java) joinFails(f failure) { p.join = joinFuture{stage: joinFailed, failure: f} }

// retryJoin decides what follows a failed join. It reports whether the next attempt follows at once; it may
// also end the application.
// Kafka: AbstractCoordinator.joinGroupIfNeeded.
func (p *java) retryJoin() bool {
	f := p.join.failure
	p.join = joinFuture{}
	if f.err != wire.MemberIDRequired {
		p.requestRejoin("rebalance failed due to " + f.exception)
	}
	switch f.then {
	case rejoinAtOnce:
		return true
	case rejoinLater:
		// The step returns, and poll() waits for the network: for retry.backoff.ms when nothing is in flight, not at
		// all when the connection to a wrong coordinator was just closed.
		wait := p.plan.Config.RetryBackoff
		if f.err == wire.NotCoordinator || f.err == wire.CoordinatorNotAvailable {
			wait = selectorCost
		}
		p.waitInPoll(WaitCoordinator, p.now.Add(wait))
	default:
		p.throws(f.err, f.exception)
	}
	return false
}

// invalidTopic is the exception for a topic that cannot exist.
const invalidTopic = assignors.Exception("InvalidTopicException")

// throws lets an exception leave poll(), or subscribe(). It ends the application, unless that polls again after an exception
// that may pass.
func (p *java) throws(err wire.Err, exception string) {
	if p.isEndedBy(err, exception) { // as the recorded applications do, it calls close()
		p.poll.closing.failed = true
		p.beginClose()
		return
	}
	p.poll.fatal = wire.None
	p.wait(WaitProcessing, p.now.Add(p.plan.PollAgain))
}

// exceptionName returns the simple name of the exception class that Java has for an error.
// Kafka: Errors.exception.
func exceptionName(err wire.Err) string {
	switch err {
	case wire.NetworkException: // it stands for a lost connection
		return "DisconnectException"
	case wire.UnknownMemberID:
		return "UnknownMemberIdException"
	case wire.IllegalGeneration:
		return "IllegalGenerationException"
	case wire.RebalanceInProgress:
		return "RebalanceInProgressException"
	case wire.NotCoordinator:
		return "NotCoordinatorException"
	case wire.CoordinatorNotAvailable:
		return "CoordinatorNotAvailableException"
	case wire.CoordinatorLoadInProgress:
		return "CoordinatorLoadInProgressException"
	case wire.FencedInstanceID:
		return "FencedInstanceIdException"
	case wire.InconsistentGroupProtocol:
		return "InconsistentGroupProtocolException"
	case wire.GroupMaxSizeReached:
		return "GroupMaxSizeReachedException"
	case wire.InvalidSessionTimeout:
		return "InvalidSessionTimeoutException"
	case wire.InvalidGroupID:
		return "InvalidGroupIdException"
	case wire.UnsupportedVersion:
		return "UnsupportedVersionException"
	}
	return "KafkaException"
}
