package logs

import (
	"testing"
	"time"
)

// TestStamps: the stamp that is the nearest to the message, of every form that is seen around logs of Kafka.
func TestStamps(t *testing.T) {
	const day = "2024-05-01T"
	for _, c := range []struct{ text, want string }{
		{"[2024-05-01 09:12:56,387] INFO ", day + "09:12:56.387"},
		{"2024-05-01 09:12:56,387 INFO ", day + "09:12:56.387"},
		{"2024-05-01 09:12:56 ", day + "09:12:56 1s"},
		{"2024-05-01 09:12:56.3 ", day + "09:12:56.3 100ms"},
		{"2024-05-01T09:12:56.19175Z stdout F ", day + "09:12:56.19175 10µs Z"},
		{"2024-05-01T09:12:56.006683114Z ", day + "09:12:56.006683114 1ns Z"},
		{"2024-05-01T09:12:56.0066831149Z ", day + "09:12:56.006683114 1ns Z"},
		{"2024-05-01T11:12:56.387+02:00  INFO 1 --- [app] [main] ", day + "09:12:56.387 Z"},
		{"2024-05-01T02:12:56.387-0700 ", day + "09:12:56.387 Z"},
		{"2024-05-01 09:12:56.387 +0000 ", day + "09:12:56.387 Z"},
		{"2024-05-01 09:12:56,387 - kafka.coordinator - WARNING - ", day + "09:12:56.387"},
		{"2024-05-01 09:12:56,387 -12 ", day + "09:12:56.387"},
		{"2024-05-01 12:12:56+03 ", day + "09:12:56 1s Z"},
		{"[sarama]2024/05/01 09:12:56 ", day + "09:12:56 1s"},
		{"24/05/01 09:12:56 INFO ", day + "09:12:56 1s"},
		{"20240501 09:12:56.387 ", day + "09:12:56.387"},
		{"2024-05-01_09:12:56.387 ", day + "09:12:56.387"},
		{"May 1, 2024 9:12:56 PM org.apache.kafka.Coordinator requestRejoin ", day + "21:12:56 1s"},
		{"May 1, 2024 12:12:56 AM ", day + "00:12:56 1s"},
		{"May 1, 2024 9:12:56\u202fAM ", day + "09:12:56 1s"},
		{"May 1, 2024 @ 09:12:56.387\t", day + "09:12:56.387"},
		{"May 1st 2024, 09:12:56.387 ", day + "09:12:56.387"},
		{"01 May 2024 09:12:56,387 ", day + "09:12:56.387"},
		{"[01/May/2024:09:12:56 +0000] ", day + "09:12:56 1s Z"},
		{"01.05.2024 09:12:56 ", day + "09:12:56 1s"},
		{"[Nest] 1  - 05/13/2024, 10:43:34 PM   ERROR ", "2024-05-13T22:43:34 1s"},
		{`"eventTimestamp":"05/13/2024 12:15:53.401 PM +00:00"`, "2024-05-13T12:15:53.401 Z"},
		{"Wed May  1 09:12:56 UTC 2024 ", day + "09:12:56 1s Z"},
		{"Wed May  1 09:12:56 2024 ", day + "09:12:56 1s"},
		{"May  1 09:12:56 host kafka[123]: ", "1972-05-01T09:12:56 1s no year"},
		{"I0501 09:12:56.006683       1 coordinator.go:7] ", "1972-05-01T09:12:56.006683 1µs no year"},
		{"09:12:56.387 [info] ", "1970-01-01T09:12:56.387 no date"},
		{"%7|1714554776.387|HEARTBEAT|rdkafka#consumer-1| [thrd:main]: ", day + "09:12:56.387 Z"},
		{"2024-05-01T08:00:00.1Z %7|1714554776.387|JOIN|x| [thrd:10.0.0.1:9092/0]: ", day + "09:12:56.387 Z"},
		{"1714554776.4004445 ", day + "09:12:56.4004445 100ns Z"},
		{"[1714554776387] ", day + "09:12:56.387 Z"},
		{"May 1, 2023 @ 15:54:24.877\t[2024-05-01 09:12:56,387] INFO ", day + "09:12:56.387"},
		{"server.log.2023-12-09-08:[2024-05-01 09:12:56,387] INFO ", day + "09:12:56.387"},
		{"20591:[2024-05-01 09:12:56,387] INFO ", day + "09:12:56.387"},
		{"INFO  2024-05-01 09:12:56,526 [shard 0:main] kafka - group.cc:391 - ", day + "09:12:56.526"},
		{"2024-05-01 09:12:56,387 | INFO | [executor-Heartbeat] | ", day + "09:12:56.387"},
		{"10.0.0.1:9092/0: ", "none"},
		{"2024-05-01 ", "none"},
		{"99:99:99 ", "none"},
		{"0c:16:20:33:44:55 ", "none"},
		{"fe80::1:16:20:3 ", "none"},
		{"32 May 2024 09:12:56 ", "1970-01-01T09:12:56 1s no date"},
		{"2023-02-29 09:12:56 ", "1970-01-01T09:12:56 1s no date"},
		{"", "none"},
	} {
		if got := stampText(lastStamp([]byte(c.text))); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

func stampText(s stamp, ok bool) string {
	if !ok {
		return "none"
	}
	text := time.Unix(0, int64(s.day.Add(s.clock-s.zone))).UTC().Format("2006-01-02T15:04:05.999999999")
	if s.precision != time.Millisecond {
		text += " " + s.precision.String()
	}
	if s.zoned {
		text += " Z"
	}
	switch s.date {
	case noDate:
		text += " no date"
	case noYear:
		text += " no year"
	}
	return text
}
