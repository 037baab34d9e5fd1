package consumers

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// goCommits is the goroutine that commits for the application, which waits for it unless CommitInterval is set. It tries
// three times. kafka-go: Reader.commitLoop, commitOffsetsWithRetry.
type goCommits struct {
	goTicker            // with CommitInterval; ticket is that of the commit that is outstanding
	tries    int        // of the same commit, that have failed
	retryAt  clock.Time // clock.Never while it waits for nothing but an answer, or for nothing
}

func (c *goCommits) busy() bool { return c.ticket != 0 || c.tries > 0 }

// commitsGo commits when it is time to, or to try again. It reports whether it did.
func (p *kafkaGo) commitsGo() bool {
	switch c := &p.commits; {
	case p.now >= c.retryAt:
		c.retryAt = clock.Never
		p.commit()
	case c.ticked(p.now):
		if p.uncommitted() {
			p.commit()
		}
	default:
		return false
	}
	return true
}

// commit sends the positions. A connection that was lost meanwhile is noticed here.
func (p *kafkaGo) commit() {
	if p.conns[CoordinatorConn].state != ready {
		p.commitAnswered(wire.NetworkException)
		return
	}
	p.commits.ticket = p.request(CoordinatorConn, p.commitRequest(), p.plan.Config.RequestTimeout)
}

// commitAnswered lets the application go on, with an error after the last try. The generation goes on in any case.
func (p *kafkaGo) commitAnswered(err wire.Err) {
	c := &p.commits
	if c.tries++; err == wire.None || c.tries == goCommitTries {
		c.tries = 0
		if err != wire.None {
			p.commitLost()
		}
		return
	}
	c.retryAt = p.now.Add(time.Duration(c.tries*c.tries) * goCommitBackoff)
}
