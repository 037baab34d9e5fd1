package bench

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// fake runs the group with a fake broker and real clients on a virtual clock, which stands still while any of them
// computes and leaps when all wait. Their connections are in memory: a clock cannot see who waits for a real one.
func (g group) fake(t *testing.T, options ...kgo.Opt) (done work) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		var network kfake.VirtualNetwork
		cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.Ports(9092), kfake.ListenFn(network.Listen),
			kfake.SeedTopics(int32(g.members), "events"))
		if err != nil {
			t.Fatal(err)
		}
		defer cluster.Close()
		cluster.ControlKey(int16(kmsg.Heartbeat), func(kmsg.Request) (kmsg.Response, error, bool) {
			cluster.KeepControl()
			done.heartbeats++
			return nil, nil, false
		})
		start := func() *kgo.Client { return startClient(t, cluster, &network, options) }
		clients := make([]*kgo.Client, g.members)
		for i := range clients {
			clients[i] = start()
		}
		time.Sleep(settled)
		first := cluster.GroupInfo("reader").Epoch
		for at := restartAt; g.restart > 0 && at < g.duration; at += g.restart {
			time.Sleep(time.Until(begin.Add(at)))
			rollingRestart(clients, start)
		}
		time.Sleep(time.Until(begin.Add(g.duration)))
		done.rebalances = int(cluster.GroupInfo("reader").Epoch - first)
		for _, client := range clients {
			client.Close()
		}
	})
	return done
}

// startClient starts a member with an application that polls.
func startClient(t *testing.T, cluster *kfake.Cluster, network *kfake.VirtualNetwork, options []kgo.Opt) *kgo.Client {
	client, err := kgo.NewClient(append(options, kgo.SeedBrokers(cluster.ListenAddrs()...), kgo.Dialer(network.DialContext),
		kgo.ConsumerGroup("reader"), kgo.ConsumeTopics("events"))...)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for !client.PollFetches(context.Background()).IsClientClosed() {
		}
	}()
	return client
}

func rollingRestart(clients []*kgo.Client, start func() *kgo.Client) {
	for i := range clients {
		clients[i].Close()
		time.Sleep(down)
		clients[i] = start()
		time.Sleep(gap)
	}
}

// membershipOnly are settings with which a client does little beside being a member: it asks for records once, and
// sends no metrics. The simulator has none of that either.
func membershipOnly() []kgo.Opt {
	return []kgo.Opt{kgo.FetchMaxWait(500 * time.Hour), kgo.DisableClientMetrics()}
}
