"use strict";
// What the page does besides being read: zooming, the story of a rebalance beside the timeline, and the members of a
// fleet one by one. A timeline shows the time from "from" for "span" seconds; everything that is placed by
// custom properties follows these two, and drawings follow by their view box.
(() => {
	const data = JSON.parse(document.getElementById("lanes")?.textContent ?? "null");

	// brief writes an instant to the millisecond, as the report does: 1h02m03.5s.
	function brief(seconds) {
		const ms = Math.round(seconds * 1000), rest = ms % 60000, minutes = Math.floor(ms / 60000) % 60, hours = Math.floor(ms / 3600000);
		if (ms < 1000) return ms ? ms + "ms" : "0s";
		if (ms < 60000) return ms / 1000 + "s";
		const padded = (n) => (n < 10 ? "0" : "") + n;
		let text = hours ? hours + "h" : "";
		if (minutes || hours && rest) text += (hours ? padded(minutes) : minutes) + "m";
		return rest ? text + padded(rest / 1000) + "s" : text;
	}

	// decoded reads a lane: [since, until, letter of the state, partitions] of each segment.
	function decoded(lane) {
		if (!lane.segments) {
			const held = {};
			let at = 0;
			lane.segments = Array.from(lane.lane.matchAll(/([A-Z])([0-9a-z]+)(?:\.([0-9a-z]+))?/g), ([, state, units, count]) => {
				if (count) held[state] = parseInt(count, 36);
				const since = at;
				at += parseInt(units, 36) * data.unit;
				return [since, at, state, held[state] ?? 0];
			});
		}
		return lane.segments;
	}

	// at returns the place of the segment of a lane at an instant.
	function at(segments, instant) {
		let low = 0, high = segments.length - 1;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (segments[middle][1] <= instant) low = middle + 1; else high = middle;
		}
		return low;
	}

	// How far apart the marks of the axis may be.
	const steps = [0.001, 0.01, 0.1, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200];

	class Timeline {
		constructor(figure) {
			this.figure = figure;
			this.end = Number(figure.dataset.end) || 1;
			this.start = Number(figure.dataset.start); // NaN for a run, which is on no clock
			this.from = 0;
			this.span = this.end;
			this.lanes = figure.querySelector(".lanes");
			this.marks = [...figure.querySelectorAll(".mark")];
			this.rebalances = this.marks.filter((m) => m.classList.contains("rebalance"));
			this.panel = figure.querySelector(".panel");
			figure.querySelector(".tools").hidden = false;
			figure.addEventListener("click", (e) => this.click(e));
			this.lanes.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
			this.lanes.addEventListener("pointerdown", (e) => this.drag(e));
			this.lanes.addEventListener("mousemove", (e) => this.tell(e));
			this.tabs();
			for (const fleet of figure.querySelectorAll(".fleet")) this.foldable(fleet);
			this.show(0, this.end);
		}

		// tabs makes one stop of the tabulator of all marks of a row; arrows go from one to the next.
		tabs() {
			for (const track of this.figure.querySelectorAll(".marks .track")) {
				[...track.children].forEach((mark, i) => { mark.tabIndex = i ? -1 : 0; });
			}
		}

		show(from, span) {
			this.span = Math.min(Math.max(span, 0.001), this.end);
			this.from = Math.min(Math.max(from, 0), this.end - this.span);
			this.figure.style.setProperty("--from", this.from);
			this.figure.style.setProperty("--span", this.span);
			this.figure.querySelector(".window").textContent = this.when(this.from) + " to " + this.when(this.from + this.span);
			for (const svg of this.lanes.querySelectorAll("svg")) {
				svg.setAttribute("viewBox", `${this.from} 0 ${this.span} 1`);
			}
			this.axis();
			for (const fleet of this.figure.querySelectorAll(".fleet")) this.stack(fleet);
		}

		// when writes an instant: since the start of a run, or on the clock of a log.
		when(seconds) {
			if (isNaN(this.start)) return brief(seconds);
			const time = new Date(Math.round((this.start + seconds) * 1000)).toISOString();
			return (this.end > 86400 ? time.slice(5, 10) + " " : "") + time.slice(11, this.span < 10 ? 23 : 19);
		}

		axis() {
			const step = steps.find((s) => this.span / s <= 9) ?? 86400 * Math.ceil(this.span / 86400 / 9);
			const ticks = [];
			for (let at = Math.ceil(this.from / step) * step; at <= this.from + this.span; at += step) {
				const tick = document.createElement("span");
				tick.className = "tick";
				tick.style.setProperty("--s", at);
				tick.textContent = this.when(at);
				ticks.push(tick);
			}
			this.lanes.querySelector(".axis .track").replaceChildren(...ticks);
		}

		zoom(factor, around = this.from + this.span / 2) {
			const span = Math.min(this.span * factor, this.end);
			this.show(around - (around - this.from) * span / this.span, span);
		}

		// instant returns which instant is under the pointer.
		instant(e) {
			const box = this.lanes.querySelector(".axis .track").getBoundingClientRect();
			return this.from + (e.clientX - box.left) / box.width * this.span;
		}

		wheel(e) {
			if (!e.ctrlKey && !e.metaKey) return; // the page scrolls
			e.preventDefault();
			this.zoom(e.deltaY < 0 ? 0.8 : 1.25, this.instant(e));
		}

		drag(e) {
			if (e.button || e.pointerType === "touch" || e.target.closest("a, button")) return;
			const grabbed = this.instant(e);
			const move = (e) => this.show(this.from + grabbed - this.instant(e), this.span);
			addEventListener("pointermove", move);
			addEventListener("pointerup", () => removeEventListener("pointermove", move), { once: true });
			e.preventDefault();
		}

		act(what) {
			switch (what) {
			case "in": return this.zoom(0.5);
			case "out": return this.zoom(2);
			case "left": return this.show(this.from - this.span / 4, this.span);
			case "right": return this.show(this.from + this.span / 4, this.span);
			case "whole": return this.show(0, this.end);
			case "previous": return this.step(-1);
			case "next": return this.step(1);
			}
		}

		key(e) {
			if (e.ctrlKey || e.metaKey || e.altKey) return;
			const mark = e.target.closest(".mark");
			const actions = { "+": "in", "=": "in", "-": "out", "0": "whole", n: "next", p: "previous", ArrowLeft: "left", ArrowRight: "right" };
			if (mark && e.key.startsWith("Arrow")) {
				const beside = e.key === "ArrowRight" || e.key === "ArrowDown" ? mark.nextElementSibling : mark.previousElementSibling;
				if (beside) this.choose(beside);
			} else if (e.key === "Escape") {
				this.close();
			} else if (actions[e.key]) {
				this.act(actions[e.key]);
			} else {
				return;
			}
			e.preventDefault();
		}

		click(e) {
			const tool = e.target.closest("[data-do]");
			const mark = e.target.closest(".mark");
			if (tool) this.act(tool.dataset.do);
			if (mark && !e.ctrlKey && !e.metaKey && !e.shiftKey) {
				e.preventDefault();
				this.choose(mark);
			}
		}

		// step chooses the rebalance that is so many further on.
		step(by) {
			const now = this.rebalances.indexOf(this.chosen);
			const next = now < 0 ? (by > 0 ? 0 : this.rebalances.length - 1) : now + by;
			if (this.rebalances[next]) this.choose(this.rebalances[next]);
		}

		// choose shows the story of a mark below the lanes, and where it is.
		choose(mark) {
			this.close();
			this.chosen = mark;
			mark.setAttribute("aria-current", "true");
			for (const other of mark.parentNode.children) other.tabIndex = other === mark ? 0 : -1;
			mark.focus({ preventScroll: true });
			const story = document.getElementById(mark.hash.slice(1)).closest(".story").cloneNode(true);
			story.removeAttribute("id");
			story.querySelectorAll("[id]").forEach((e) => e.removeAttribute("id"));
			if (story.tagName === "DETAILS") story.open = true;
			this.panel.replaceChildren(story);
			this.panel.hidden = false;
			const [since, until] = ["--s", "--u"].map((p) => Number(mark.style.getPropertyValue(p)));
			for (const track of this.lanes.querySelectorAll(".lane .track")) {
				const chosen = document.createElement("span");
				chosen.className = "chosen";
				chosen.style.setProperty("--s", since);
				chosen.style.setProperty("--u", until);
				track.append(chosen);
			}
			if (until < this.from || since > this.from + this.span) this.show((since + until - this.span) / 2, this.span);
			this.figure.scrollIntoView({ block: "nearest" });
		}

		close() {
			this.chosen?.removeAttribute("aria-current");
			this.panel.hidden = true;
			this.panel.replaceChildren();
			for (const chosen of this.lanes.querySelectorAll(".chosen")) chosen.remove();
		}

		// foldable makes a button of the name of a fleet, which opens its members.
		foldable(fleet) {
			const name = fleet.querySelector(".name");
			const button = document.createElement("button");
			button.type = "button";
			button.setAttribute("aria-expanded", "false");
			button.append(...name.childNodes);
			name.append(button);
			button.addEventListener("click", () => {
				const open = button.getAttribute("aria-expanded") === "false";
				button.setAttribute("aria-expanded", String(open));
				if (open) fleet.after(...this.members(fleet).map((lane) => this.row(lane)));
				else while (fleet.nextElementSibling?.classList.contains("opened")) fleet.nextElementSibling.remove();
			});
		}

		members(fleet) {
			const first = Number(fleet.dataset.first);
			return data.groups[fleet.dataset.group].slice(first, first + Number(fleet.dataset.members));
		}

		// row draws one member: an outline for each state.
		row(lane) {
			const row = document.createElement("div");
			row.className = "row lane member opened";
			row.lane = lane;
			const name = document.createElement("div");
			name.className = "name";
			name.title = lane.who;
			const whole = document.createElement("bdi"), fleet = document.createElement("span");
			const dash = lane.who.lastIndexOf("-"), end = dash > 0 ? dash : lane.who.length;
			fleet.textContent = lane.who.slice(0, end);
			whole.append(fleet, lane.who.slice(end));
			name.append(whole);
			const track = document.createElement("div");
			track.className = "track";
			const outlines = {};
			for (const [since, until, state] of decoded(lane)) {
				(outlines[state] ??= []).push(`M${since} 0h${until - since}v1h${since - until}z`);
			}
			track.append(this.drawing(Object.keys(outlines).sort().reverse().map((state) => [state, outlines[state].join("")])));
			row.append(name, track);
			return row;
		}

		drawing(outlines) {
			const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
			svg.setAttribute("preserveAspectRatio", "none");
			svg.setAttribute("viewBox", `${this.from} 0 ${this.span} 1`);
			for (const [state, outline] of outlines) {
				const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
				path.setAttribute("class", "s-" + data.states[state].replaceAll(" ", "-"));
				path.setAttribute("d", outline);
				svg.append(path);
			}
			return svg;
		}

		// stack adds up anew what the members of a fleet do in what is shown. What is wrong counts for a whole column.
		stack(fleet) {
			const columns = 1200;
			if (this.span === this.end) {
				if (fleet.whole) fleet.querySelector("svg").replaceWith(fleet.whole);
				return;
			}
			fleet.whole ??= fleet.querySelector("svg");
			const width = this.span / columns, all = this.members(fleet);
			const counts = Array.from({ length: columns }, () => ({}));
			for (const lane of all) {
				const segments = decoded(lane);
				let i = at(segments, this.from);
				for (let k = 0; k < columns; k++) {
					const until = this.from + (k + 1) * width;
					let worst = segments[i][2];
					while (segments[i][1] < until && i + 1 < segments.length) {
						i++;
						if (segments[i][2] < worst) worst = segments[i][2];
					}
					counts[k][worst] = (counts[k][worst] ?? 0) + 1;
				}
			}
			const outlines = {};
			counts.forEach((count, k) => {
				let top = 0;
				for (const state of Object.keys(count).sort()) {
					const height = count[state] / all.length;
					(outlines[state] ??= []).push(`M${this.from + k * width} ${top}h${width}v${height}h${-width}z`);
					top += height;
				}
			});
			fleet.querySelector("svg").replaceWith(this.drawing(Object.entries(outlines).map(([state, o]) => [state, o.join("")])));
		}

		// tell says what a member of an opened fleet does where the pointer is.
		tell(e) {
			const row = e.target.closest(".opened");
			if (!row) return;
			const segments = decoded(row.lane);
			const [since, until, state, held] = segments[at(segments, this.instant(e))];
			const holds = isNaN(this.start) ? `, holds ${held}` : "";
			row.title = `${data.states[state]}${holds}, from ${this.when(since)} to ${this.when(until)}`;
		}
	}

	const timelines = [...document.querySelectorAll(".timeline")].map((figure) => new Timeline(figure));
	// Keys are for the timeline that has the focus, or else for the one that had it last.
	let current = timelines[0];
	addEventListener("focusin", (e) => { current = timelines.find((t) => t.figure.contains(e.target)) ?? current; });
	addEventListener("keydown", (e) => {
		if (e.target === document.body || current?.figure.contains(e.target)) current?.key(e);
	});
	addEventListener("beforeprint", () => {
		for (const t of timelines) t.show(0, t.end);
		for (const details of document.querySelectorAll("main > section > details")) details.open = true;
	});
	document.documentElement.dataset.ready = "true";
})();
