// Package browser_test looks at pages in a headless Chromium, as a reader would.
package browser_test

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"simulate/check"
	"simulate/reports"
	"simulate/scenarios"
	"simulate/sim/clock"
	"simulate/sim/scenario"
	"simulate/timeline"
)

// patience is how long one test waits for a browser on a slow machine.
const patience = time.Minute

// TestPage holds that a page shows all lanes and segments, and that a click and keys show how a rebalance came about.
func TestPage(t *testing.T) {
	r := run(t, "clients/stall-join")
	p := open(t, page(t, r), chromedp.EmulateViewport(1400, 560))
	g := r.Timeline.Groups[0]
	p.counts(".lane", 1+len(g.Members))
	p.counts(".lane rect", r.Timeline.Segments())
	p.counts(".mark.rebalance", len(r.Summary.Groups[0].Rebalances))
	p.counts(".mark.stuck", 1)
	p.counts(".panel .story", 0)
	p.counts("main > section > details:not([open])", 1) // all expectations hold

	p.do(chromedp.Click(".mark.rebalance:nth-child(2)"))
	p.says(".panel", "Rebalance 2 at 1m17.01s: orders-4 joined", "event 2: scale of orders", "orders-4 started")
	if free := p.evaluate(`document.querySelector(".panel").getBoundingClientRect().top >= document.querySelector(".lanes").getBoundingClientRect().bottom`); free != "true" {
		t.Error("the story covers the lanes that it is about, and there is room")
	}
	p.do(chromedp.KeyEvent(kb.ArrowLeft))
	p.says(".panel", "Rebalance 1 at 10ms: orders-1 joined")
	p.click(".mark.stuck")
	p.says(".panel", "waited for JoinGroup from orders-2")

	whole := p.evaluate(`document.querySelector(".lane svg").getAttribute("viewBox")`)
	p.click(`[data-do="in"]`)
	if in := p.evaluate(`document.querySelector(".lane svg").getAttribute("viewBox")`); in == whole {
		t.Errorf("zooming in leaves the view box %s", whole)
	}
	p.says(".window", "3m45s to 11m15s")
	for range 3 {
		p.click(`[data-do="in"]`)
	}
	p.says(".window", "7m01.875s to 7m58.125s")
	p.says(".axis .track", "7m10s")
	p.click(`[data-do="whole"]`)
	if again := p.evaluate(`document.querySelector(".lane svg").getAttribute("viewBox")`); again != whole {
		t.Errorf("the whole run has the view box %s, and had %s", again, whole)
	}
	p.quiet()
}

// TestKeysWithoutFocus holds that keys work before anything has been clicked, and after what has no focus has been.
func TestKeysWithoutFocus(t *testing.T) {
	p := open(t, page(t, run(t, "clients/stall-join")))
	p.do(chromedp.KeyEvent("n"))
	p.says(".panel", "Rebalance 1 at 10ms")
	p.click(".panel p, .panel td")
	p.do(chromedp.KeyEvent("n"))
	p.says(".panel", "Rebalance 2 at 1m17.01s")
	p.do(chromedp.KeyEvent(kb.Escape))
	p.counts(".panel .story", 0)
	p.quiet()
}

// TestLongNames holds that the number at the end of a long name is seen.
func TestLongNames(t *testing.T) {
	for _, crowd := range []int{1, 400} {
		r := run(t, "clients/stall-join")
		r.Timeline = crowded(r.Timeline, crowd)
		for i := range r.Timeline.Groups[0].Members {
			r.Timeline.Groups[0].Members[i].Who = strings.Repeat("long-", 20) + fmt.Sprint(i)
		}
		p := open(t, page(t, r))
		if crowd > 1 {
			p.click(".fleet button")
		}
		beyond := p.evaluate(`(() => {
			const name = document.querySelector(".member .name"), number = document.createRange();
			number.selectNode(name.querySelector("bdi").lastChild);
			return number.getBoundingClientRect().right - name.getBoundingClientRect().right;
		})()`)
		if !strings.HasPrefix(beyond, "-") {
			t.Errorf("crowd of %d: the number ends %s pixels beyond the name's place", crowd, beyond)
		}
		p.quiet()
	}
}

// TestWithoutScript holds that a page can be read, and its marks followed, without JavaScript.
func TestWithoutScript(t *testing.T) {
	r := run(t, "clients/stall-join")
	p := open(t, page(t, r), emulation.SetScriptExecutionDisabled(true))
	p.does("the drawing", chromedp.WaitVisible(".lane.member svg", chromedp.ByQuery))
	p.does("the tools", chromedp.WaitNotVisible(".tools", chromedp.ByQuery))
	p.counts(".lane rect", r.Timeline.Segments())
	p.says("main", "waited for JoinGroup from orders-2", "event 2: scale of orders", "2 of 2 hold")
	p.do(chromedp.Click(".mark.rebalance:nth-child(2)"))
	var at string
	p.do(chromedp.Location(&at))
	if !strings.HasSuffix(at, "#g1-rebalance-2") {
		t.Errorf("the mark leads to %s", at)
	}
	p.quiet()
}

// TestHostile holds that nothing in a name is obeyed.
func TestHostile(t *testing.T) {
	for _, crowd := range []int{1, 400} {
		hostile := "</script></title><script>alert(1)</script>\"'><img src=x onerror=alert(1)>\n\u202e\u05e9\u05dc\u05d5\u05dd \U0001f525"
		r := run(t, "clients/stall-join")
		r.Scenario.Name, r.Scenario.Description = hostile, hostile
		r.Warnings = []string{hostile}
		r.Expectations[0].That, r.Expectations[0].Got = hostile, hostile
		r.Summary.Groups[0].Name = hostile
		r.Timeline.Groups[0].Name = hostile
		r.Timeline = crowded(r.Timeline, crowd)
		for i := range r.Timeline.Groups[0].Members {
			r.Timeline.Groups[0].Members[i].Who = hostile + "-" + fmt.Sprint(i)
		}
		p := open(t, page(t, r))
		p.counts("img", 0)
		p.counts("script", map[int]int{1: 1, 400: 2}[crowd])
		if crowd > 1 {
			p.click(".fleet button")
		}
		p.says(".member", "<script>alert(1)</script>")
		p.quiet()
	}
}

// TestCrowd holds that the members of a large group can be opened one by one, and are added up where one zooms to.
func TestCrowd(t *testing.T) {
	r := run(t, "clients/stall-join")
	r.Timeline = crowded(r.Timeline, 1000)
	members := len(r.Timeline.Groups[0].Members)
	p := open(t, page(t, r))
	p.counts(".lane", 2)
	p.counts(".member", 0)
	p.click(".fleet button")
	p.counts(".member", members)
	p.click(`[data-do="in"]`)
	p.counts(".fleet path", 1) // all consume from 3m45s to 11m15s
	p.click(`[data-do="whole"]`)
	p.click(".fleet button")
	p.counts(".member", 0)
	p.quiet()
}

// crowded returns a timeline with each member so often.
func crowded(t timeline.Timeline, times int) timeline.Timeline {
	g := &t.Groups[0]
	one := g.Members
	g.Members = nil
	for n := range times {
		for i, m := range one {
			g.Members = append(g.Members, timeline.Lane{Who: fmt.Sprintf("orders-%d", n*len(one)+i+1), Segments: m.Segments})
		}
	}
	return t
}

func run(t *testing.T, name string) reports.Report {
	t.Helper()
	text, _ := scenarios.Read(name)
	s, _, err := scenario.Load(name, text)
	if err != nil {
		t.Fatal(err)
	}
	l := check.Loaded{Name: name, Scenario: s}
	course := check.NewCourse(l, check.Lanes|check.Stories)
	r, err := check.Run(t.Context(), l, course)
	if err != nil {
		t.Fatal(err)
	}
	course.Tell(&r)
	if r.At != clock.At(s.Duration) {
		t.Fatalf("the run ended at %v", r.At.SinceStart())
	}
	return r
}

// page writes the report and returns its address.
func page(t *testing.T, r reports.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := reports.HTML(&b, r); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// tab is a page in a browser.
type tab struct {
	*testing.T
	context.Context

	mutex    sync.Mutex
	messages []string // of the console, and what else went wrong
}

// open opens an address in a browser of its own.
func open(t *testing.T, address string, before ...chromedp.Action) *tab {
	t.Helper()
	if !installed() {
		t.Skip("there is no Chromium here to look at pages with; nothing else is left out")
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.WSURLReadTimeout(patience))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	p := &tab{T: t, Context: ctx}
	chromedp.ListenTarget(ctx, p.listen)
	p.do(append(append([]chromedp.Action{log.Enable()}, before...), chromedp.Navigate(address))...)
	return p
}

// installed reports whether there is a browser under a name that chromedp looks for.
func installed() bool {
	for _, name := range []string{"headless_shell", "headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if _, err := exec.LookPath(name); err == nil {
			return true
		}
	}
	return false
}

func (p *tab) listen(event any) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		p.messages = append(p.messages, fmt.Sprintf("console.%s", e.Type))
	case *runtime.EventExceptionThrown:
		p.messages = append(p.messages, e.ExceptionDetails.Error())
	case *log.EventEntryAdded:
		p.messages = append(p.messages, e.Entry.Text)
	}
}

// quiet holds that the page had nothing to complain of.
func (p *tab) quiet() {
	p.Helper()
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if len(p.messages) > 0 {
		p.Errorf("the browser says: %s", strings.Join(p.messages, "\n"))
	}
}

func (p *tab) do(actions ...chromedp.Action) {
	p.Helper()
	p.does("the page", actions...)
}

func (p *tab) does(what string, actions ...chromedp.Action) {
	p.Helper()
	if err := chromedp.Run(p.Context, actions...); err != nil {
		p.Fatalf("%s: %v", what, err)
	}
}

func (p *tab) click(selector string) {
	p.Helper()
	p.does(selector, chromedp.Click(selector, chromedp.ByQuery))
}

func (p *tab) evaluate(expression string) string {
	p.Helper()
	var got any
	p.do(chromedp.Evaluate(expression, &got))
	return fmt.Sprint(got)
}

// counts holds how many elements there are.
func (p *tab) counts(selector string, want int) {
	p.Helper()
	if got := p.evaluate(fmt.Sprintf("document.querySelectorAll(%q).length", selector)); got != fmt.Sprint(want) {
		p.Errorf("there are %s of %s, want %d", got, selector, want)
	}
}

// says holds that the text of an element has these parts.
func (p *tab) says(selector string, parts ...string) {
	p.Helper()
	text := p.evaluate(fmt.Sprintf("document.querySelector(%q).textContent", selector))
	for _, part := range parts {
		if !strings.Contains(text, part) {
			p.Errorf("%s does not say %q but %q", selector, part, text)
		}
	}
}
