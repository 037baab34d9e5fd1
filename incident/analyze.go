package incident

import (
	"context"

	"simulate/incident/logs"
)

// Source hands out events in the order of time; logs.Reader is one. An event is only valid during the call.
type Source interface {
	Each(ctx context.Context, each func(*logs.Event) error) error
}
