package assignors_test

import (
	"fmt"

	"simulate/sim/assignors"
)

// The leader decodes what the members sent, assigns, and encodes what each of them gets.
func Example() {
	orders := assignors.Subscription{Topics: []string{"orders"}, Generation: -1}
	sent := assignors.EncodeSubscription(orders, assignors.SubscriptionVersion)
	received, _ := assignors.DecodeSubscription(sent)

	a, _ := assignors.Find("range")
	out, err := a.Assign(assignors.Input{
		Topics: map[string]assignors.Topic{"orders": {Partitions: 3}},
		Members: []assignors.Member{
			{ID: "orders-1-51711e84", Subscription: received},
			{ID: "orders-2-0a6c91f0", Subscription: received},
		},
	})
	fmt.Println(out.Assigned, err)
	fmt.Printf("%x\n", assignors.EncodeAssignment(out.Assigned[1], nil, assignors.SubscriptionVersion))
	// Output:
	// [[orders-0 orders-1] [orders-2]] <nil>
	// 00030000000100066f72646572730000000100000002ffffffff
}
