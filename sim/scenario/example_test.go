package scenario_test

import (
	"fmt"

	"simulate/sim/scenario"
)

func ExampleLoad() {
	_, _, err := scenario.Load("slow.toml", []byte(`
duration = "10m"

[[topic]]
name = "orders"
partitions = 6

[[fleet]]
name = "orders"
topics = ["orders"]
processing = "45"
cuont = 3
`))
	fmt.Println(err)
	// Output:
	// slow.toml:11:14: "45" has no unit; write "45s" or "45ms"
	// slow.toml:12:1: unknown key "cuont" in [[fleet]]; did you mean "count"?
	// slow.toml: 2 problems
}
