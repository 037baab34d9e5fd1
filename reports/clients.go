package reports

import (
	"fmt"
	"io"
	"strings"

	"simulate/sim/scenario"
)

// Clients writes a line for each client that a fleet may name.
func Clients(w io.Writer, clients []scenario.Client) error {
	p := &page{}
	wide := 0
	for _, client := range clients {
		wide = max(wide, columns(client.Name))
	}
	for _, client := range clients {
		p.para(fmt.Sprintf("%-*s  ", wide, client.Name), indent(wide+2), client.About)
	}
	_, err := w.Write(p.Bytes())
	return err
}

// Client writes what a client is started with and what it does.
func Client(w io.Writer, client scenario.Client) error {
	p := &page{}
	p.para("", "  ", client.Name+": "+client.About)
	p.blank()
	p.defaults(client.Defaults)
	p.blank()
	p.para("", "  ", requests(client))
	p.sentences("unlike the Java consumer", client.Modelled)
	p.sentences("not modelled", client.NotModelled)
	p.sentences("remember", client.Remember)
	_, err := w.Write(p.Bytes())
	return err
}

// defaults writes settings with what holds when nobody sets them, and where that stands.
func (p *page) defaults(list []scenario.Default) {
	source := list[0].Source
	for _, d := range list {
		if d.Source != source {
			source = ""
		}
	}
	p.line("its settings, with what holds when nobody sets them")
	if source != "" {
		p.para("  ", "  ", "("+source+")")
	}
	for _, d := range list {
		p.para("  ", "    ", d.Key+" = "+d.Value)
		if d.Name != d.Key {
			p.para("    ", "    ", "also called "+d.Name)
		}
		if source == "" {
			p.para("    ", "    ", "from "+d.Source)
		}
	}
}

// sentences writes a list under a title, nothing when it is empty.
func (p *page) sentences(title string, list []string) {
	if len(list) == 0 {
		return
	}
	p.blank()
	p.line(title)
	for _, text := range list {
		p.para("  ", "    ", text)
	}
}

// requests says in which versions a client sends its requests.
func requests(client scenario.Client) string {
	var sent []string
	for _, r := range client.Requests {
		sent = append(sent, fmt.Sprintf("%v v%d", r.API, r.Version))
	}
	return fmt.Sprintf("sends %s; its subscription in JoinGroup is v%d", strings.Join(sent, ", "), client.Subscription)
}
