package random_test

import (
	"fmt"
	"time"

	"simulate/sim/random"
)

// Two purposes of one consumer have streams of their own; each variate takes one number.
func Example() {
	work := random.LogNormal(50*time.Millisecond, 4*time.Second)
	seed := random.Seed(7)
	batches := seed.Stream("consumer/orders-1", "processing")
	starts := seed.Stream("consumer/orders-1", "start")
	fmt.Println(batches.Draw(work), batches.Draw(work))
	fmt.Println(starts.Between(0, time.Second))
	// Output:
	// 375.185ms 2.991ms
	// 915.208ms
}
