// Plays the chapters of a page: one where a scene was exported, several of a lesson.

// A line of the source. What it is wrapped into hangs below its own indent, as in the window.
function codeRow(line, number) {
    const code = made("span", {}, line || " "), indent = line.match(/^\s*/)[0].replaceAll("\t", "    ").length;
    code.style.setProperty("--hung", `${Math.min(indent, MOST_INDENT) + 2}ch`);
    return made("div", { "data-number": number }, code);
}

const SPEEDS = [1, 2, 4, 8, 15, 30, 60];
const STROKE_LENGTH = 40;
const MOST_INDENT = 16;
// Below this share of its size a drawing's smallest words are hard to read.
const SMALL = 0.9;
// Height that a drawing has in the lowest window; what player.css leaves between parts, at the edges of the page, and draws around a panel;
// height that the source has at least on a narrow screen.
const LEAST_ROOM = 240;
const LEAST_LINES = 100;
const GAP = 10;
const EDGES = 14;
const BORDERS = 2;
// Where arrow keys go from a spot: to the nearest in their direction, of which what lies aside counts as farther away.
const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
const ASIDE = 3;

class Player {
    constructor(scene) {
        this.scene = scene;
        this.words = scene.words;
        this.lists = listsOf(scene.steps);
        this.since = null;
        this.chapter = scene.chapters[0];
        this.step = 0;
        this.build();
        this.painter = new Painter(scene, this.canvas);
        this.listen();
        this.open(0);
        this.follow();
        addEventListener("hashchange", () => this.follow());
    }

    // What an address can ask for after its #, as in scene.html#step=120&theme=dark&only=stage.
    follow() {
        const asked = new URLSearchParams(location.hash.slice(1));
        this.dark = asked.has("theme") ? asked.get("theme") === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
        document.body.classList.toggle("bare", asked.get("only") === "stage");
        this.dress();
        const step = Number.parseInt(asked.get("step"), 10);
        if (Number.isInteger(step)) this.go(step - 1 - this.chapter.first);
        else this.paint();
    }

    build() {
        const { scene, words } = this;
        this.heading = made("h1");
        this.named = made("span", { class: "named" });
        this.place = made("span", { class: "place" });
        this.canvas = made("canvas", { tabindex: "0", role: "img", "aria-description": words.choose });
        this.tip = made("div", { class: "tip", role: "tooltip" });
        this.ring = made("div", { class: "ring", "aria-hidden": "true" });
        this.title = made("h2");
        this.sentence = made("p");
        this.verdicts = made("ul", { class: "verdicts" });
        this.told = made("div", { class: "unseen", "aria-live": "polite" });
        this.slider = made("input", { type: "range", min: 0, value: 0, step: 1, "aria-label": words.step });
        this.marks = made("div", { class: "marks", "aria-hidden": "true" });
        this.buttons = {
            first: button(words.first, SIGNS.first), back: button(words.back, SIGNS.back), play: button(words.play, "", "play"),
            next: button(words.next, SIGNS.next), last: button(words.last, SIGNS.last), theme: button(words.theme, SIGNS.theme),
            large: button(words.large, SIGNS.large, "large"),
        };
        const usual = matchMedia("(prefers-reduced-motion: reduce)").matches ? 1 : 4;
        this.speed = made("select", { "aria-label": words.speed }, ...SPEEDS.map(speed =>
            made("option", { value: speed, ...(speed === usual ? { selected: "" } : {}) }, words.per_second.replace("{n}", speed))));
        const { first, back, play, next, last, theme, large } = this.buttons;
        this.card = made("div", { class: "panel step" }, this.title, this.sentence, this.verdicts);
        this.text = made("pre", { class: "source", tabindex: "0", "aria-label": words.source });
        this.code = made("div", { class: "panel code" }, this.text);
        this.stage = made("div", { class: "panel stage" }, this.canvas, this.ring, this.tip);
        this.parts = made("div", { class: "parts" }, this.code, this.stage, this.card);
        this.controls = made("div", { class: "panel controls", role: "group", "aria-label": words.controls },
            made("div", { class: "track" }, this.slider, this.marks), first, back, play, next, last, this.speed,
            made("span", { class: "gap" }), this.place, large, theme);
        this.link = made("a", { class: "open" }, words.open);
        this.notes = made("div", { class: "notes" });
        this.findings = made("ul", { class: "panel findings", "aria-label": words.findings });
        this.sources = made("p", { class: "sources" });
        const played = made("div", { class: "played" }, this.parts, this.controls, this.notes, this.findings, this.sources, this.told);
        this.header = made("header", {}, this.heading, this.named, this.link);
        this.main = made("main", {}, this.header, played);
        document.body.append(this.main);
    }

    // Shows a chapter, at the step that it is about.
    open(number) {
        this.pause();
        const chapter = this.chapter = this.scene.chapters[number];
        this.heading.textContent = this.scene.title;
        this.named.textContent = chapter.title === this.scene.title ? "" : chapter.title;
        this.sources.textContent = chapter.sources;
        this.notes.replaceChildren(...chapter.notes.map(text => made("p", {}, text)));
        this.rows = chapter.source.map((line, row) => codeRow(line, row + 1));
        this.lit = null;
        this.text.replaceChildren(...this.rows);
        this.parts.classList.toggle("coded", this.rows.length > 0);
        this.code.hidden = !this.rows.length;
        this.slider.max = this.end;
        this.controls.hidden = this.end === 0;
        this.link.hidden = !chapter.link.startsWith("tilescope:");
        this.listFindings(chapter.findings);
        this.longest = this.longestStep();
        this.step = chapter.at;
        this.fit();
        this.show(chapter.at);
    }

    longestStep() {
        const { begin, end } = this.chapter, length = ({ title, sentence, views }) => title.length + sentence.length + views.join("").length;
        return this.scene.steps.slice(begin, end).reduce((one, other) => length(other) > length(one) ? other : one);
    }

    // Leaves the words of each step, and the bar, in the window: in a low one the drawing is smaller than the page is wide.
    fit() {
        this.card.style.minHeight = "";
        this.write(this.longest);
        const words = this.card.offsetHeight;
        this.card.style.minHeight = `${words}px`;
        this.write(this.now);
        const [width, height] = this.scene.size, beside = this.parts.offsetWidth > this.card.offsetWidth;
        const taken = EDGES + this.header.offsetHeight + this.controls.offsetHeight + 2 * GAP + (beside ? 0 : words + GAP);
        const room = Math.max(innerHeight - taken, LEAST_ROOM), large = this.stage.classList.contains("whole");
        this.parts.style.setProperty("--room", `${room}px`);
        this.parts.style.setProperty("--wide", `${(large ? width : Math.floor((room - BORDERS) * width / height)) + BORDERS}px`);
        const above = this.code.getBoundingClientRect().top + scrollY, lines = innerHeight - above - this.controls.offsetHeight - GAP - BORDERS;
        this.parts.style.setProperty("--lines", `${Math.max(lines, LEAST_LINES)}px`);
        this.light(this.now.line);
        this.offerLarge();
    }

    write({ title, sentence, views }) {
        this.title.textContent = title;
        this.sentence.textContent = sentence;
        this.verdicts.replaceChildren(...views.map(text => made("li", {}, text)));
    }

    get end() {
        return this.chapter.end - this.chapter.begin - 1;
    }

    listFindings(findings) {
        this.findings.hidden = !findings.length;
        this.findings.replaceChildren(...findings.map(({ text, step }) => {
            const found = button("⚠ " + text);
            found.disabled = step === null;
            found.addEventListener("click", () => this.go(step));
            return made("li", {}, found);
        }));
        this.marks.replaceChildren(...findings.filter(({ step }) => step !== null).map(({ step }) => {
            const mark = made("span");
            mark.style.left = `${100 * step / Math.max(this.end, 1)}%`;
            return mark;
        }));
    }

    listen() {
        const { first, back, play, next, last, theme } = this.buttons;
        first.addEventListener("click", () => this.go(0));
        back.addEventListener("click", () => this.go(this.step - 1));
        next.addEventListener("click", () => this.go(this.step + 1));
        last.addEventListener("click", () => this.go(this.end));
        play.addEventListener("click", () => this.toggle());
        this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
        this.buttons.large.addEventListener("click", () => this.enlarge());
        theme.addEventListener("click", () => { this.dark = !this.dark; this.dress(); this.paint(); });
        document.addEventListener("keydown", event => this.pressed(event));
        new ResizeObserver(() => requestAnimationFrame(() => { this.offerLarge(); this.paint(); })).observe(this.canvas);
        const fitting = new ResizeObserver(() => requestAnimationFrame(() => this.fit()));  // at once it would go round in circles
        for (const part of [this.header, this.controls, this.text]) fitting.observe(part);
        addEventListener("resize", () => this.fit());
        this.canvas.addEventListener("focus", () => { if (this.canvas.matches(":focus-visible")) this.say({ text: this.words.choose }, 0, 0); });
        this.canvas.addEventListener("blur", () => this.hide());
        this.listenToHand();
    }

    // A stroke to the left or to the right is a step; a touch on something tells what it is, elsewhere it plays.
    listenToHand() {
        let from = null;
        this.canvas.addEventListener("pointerdown", event => { from = event.clientX; });
        this.canvas.addEventListener("pointercancel", () => { from = null; });
        this.canvas.addEventListener("pointermove", event => this.point(event));
        this.canvas.addEventListener("pointerleave", event => { if (event.pointerType === "mouse") this.hide(); });
        this.canvas.addEventListener("pointerup", event => {
            const way = from === null ? 0 : event.clientX - from;
            from = null;
            if (Math.abs(way) > STROKE_LENGTH) this.go(this.step - Math.sign(way));
            else if (!this.point(event)) this.toggle();
            else if (this.picked) this.picked(this.spot);
        });
    }

    // Says what is under the pointer; whether there is something.
    point(event) {
        const { left, top } = this.canvas.getBoundingClientRect(), x = event.clientX - left, y = event.clientY - top, { scale } = this;
        this.spot = this.spotAt(x / scale, y / scale);
        if (this.spot || !this.chosen) this.hide();
        if (this.spot) this.say(this.spot, x, y);
        return this.spot !== null;
    }

    spotAt(x, y) {
        const over = ({ place: [left, top, width, height] }) => left <= x && x < left + width && top <= y && y < top + height;
        return this.spots().find(over) ?? null;
    }

    // Pixels of the page that one of the drawing takes.
    get scale() {
        return this.canvas.getBoundingClientRect().width / this.scene.size[0];
    }

    // What the step tells where, of each view what lies above first.
    spots() {
        const { spots, places, said } = this.scene, found = [];
        for (const view of this.now.spots)
            for (let at = spots[view].length - 3; at >= 0; at -= 3)
                found.push({ place: places[spots[view][at]], text: said[spots[view][at + 1]], lane: spots[view][at + 2] });
        return found;
    }

    // Keys on the drawing, as in the window: Return chooses its first spot, arrows go on from there, Escape lets go. Whether one was for that.
    choose(key) {
        const { chosen } = this, way = WAYS[key];
        const first = (one, other) => !one || other.place[0] + other.place[1] < one.place[0] + one.place[1] ? other : one;
        if (key === "Enter" && !chosen) this.ringed(this.spots().reduce(first, null));
        else if (way && chosen) this.ringed(this.beside(chosen, way) ?? chosen);
        else return false;
        return true;
    }

    beside(spot, [across, down]) {
        const middle = ({ place: [left, top, width, height] }) => [left + width / 2, top + height / 2], [x, y] = middle(spot);
        const far = other => {
            const [toX, toY] = middle(other), along = across * (toX - x) + down * (toY - y), aside = down * (toX - x) + across * (toY - y);
            return along > 0.5 ? along + ASIDE * Math.abs(aside) : Infinity;
        };
        const nearest = this.spots().map(other => [far(other), other]).reduce((one, other) => other[0] < one[0] ? other : one, [Infinity, null]);
        return nearest[1];
    }

    // Frames a spot, and says it also to who hears the page.
    ringed(spot) {
        if (!spot) return;
        const { scale } = this, [left, top, width, height] = spot.place.map(number => number * scale);
        for (const [name, value] of Object.entries({ left: left - 2, top: top - 2, width: width + 4, height: height + 4 }))
            this.ring.style[name] = `${value}px`;
        this.say(spot, left + width / 2, top);
        this.ring.classList.add("shown");
        this.chosen = spot;
        this.told.textContent = spot.text;
        if (this.picked) this.picked(spot);
    }

    say(spot, x, y) {
        const { width } = this.canvas.getBoundingClientRect();
        this.tip.textContent = spot.text;
        this.tip.classList.add("shown");
        this.tip.style.left = `${Math.max(Math.min(x + 12, width - this.tip.offsetWidth - 4), 4)}px`;
        this.tip.style.top = `${y > this.tip.offsetHeight + 16 ? y - this.tip.offsetHeight - 10 : y + 18}px`;
    }

    hide() {
        this.chosen = null;
        for (const shown of [this.tip, this.ring]) shown.classList.remove("shown");
    }

    pressed(event) {
        const { target } = event;
        if (event.ctrlKey || event.altKey || event.metaKey || target instanceof HTMLInputElement || target === this.speed) return;
        if (target === this.canvas && this.choose(event.key)) {
            event.preventDefault();
            return;
        }
        const onButton = target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement;
        const moves = {
            ArrowRight: this.step + 1, ArrowLeft: this.step - 1, Home: 0, End: this.end, PageDown: this.step + 10, PageUp: this.step - 10,
        };
        if (event.key in moves) this.go(moves[event.key]);
        else if (event.key === " " && !onButton) this.toggle();
        else if (event.key === "Escape") this.hide();
        else return;
        event.preventDefault();
    }

    // Where the drawing is smaller than it was drawn there is a button: pressed, it is as large, and is scrolled.
    offerLarge() {
        const { large } = this.buttons;
        large.hidden = large.getAttribute("aria-pressed") !== "true" && this.canvas.clientWidth >= SMALL * this.scene.size[0];
    }

    enlarge() {
        const large = this.stage.classList.toggle("whole");
        this.canvas.style.width = large ? `${this.scene.size[0]}px` : "";
        this.buttons.large.setAttribute("aria-pressed", large);
        this.fit();
    }

    dress() {
        document.documentElement.dataset.theme = this.dark ? "dark" : "light";
    }

    toggle() {
        if (this.since !== null) return this.pause();
        if (this.end === 0) return undefined;
        if (this.step === this.end) this.show(0);
        this.since = { time: performance.now(), step: this.step };
        this.sign(this.words.pause);
        requestAnimationFrame(now => this.play(now));
        return undefined;
    }

    pause() {
        if (this.since === null) return;
        this.since = null;
        this.sign(this.words.play);
        this.tell();
    }

    sign(text) {
        this.buttons.play.textContent = text;
        this.buttons.play.setAttribute("aria-label", text);
    }

    play(now) {
        if (this.since === null) return;
        const passed = Math.floor(Math.max(now - this.since.time, 0) * Number(this.speed.value) / 1000);
        const step = Math.min(this.since.step + passed, this.end);
        if (step !== this.step) this.show(step);
        if (step === this.end) this.pause();
        else requestAnimationFrame(later => this.play(later));
    }

    go(step) {
        this.pause();
        this.show(Math.min(Math.max(step, 0), this.end));
        this.tell();
    }

    get now() {
        return this.scene.steps[this.chapter.begin + this.step];
    }

    show(step) {
        this.step = step;
        this.hide();
        const { place, title, sentence, views, line } = this.now;
        const { link, first, range } = this.chapter;
        if (!this.link.hidden) this.link.href = link.includes("?") ? link : `${link}?step=${first + step + 1}`;
        this.slider.value = step;
        this.slider.setAttribute("aria-valuetext", place);
        this.place.textContent = [range, place].filter(Boolean).join(" · ");
        this.write(this.now);
        this.canvas.setAttribute("aria-label", [title, sentence, ...views].join(". "));
        this.light(line);
        this.paint();
    }

    light(line) {
        this.lit?.classList.remove("now");
        this.lit = this.rows[line - 1];
        if (!this.lit) return;
        this.lit.classList.add("now");
        const top = this.lit.offsetTop, end = top + this.lit.offsetHeight, { scrollTop, clientHeight } = this.text;
        if (top < scrollTop + 20 || end > scrollTop + clientHeight - 20) this.text.scrollTop = (top + end - clientHeight) / 2;
    }

    paint() {
        this.painter.draw(this.lists[this.chapter.begin + this.step], this.dark ? 1 : 0);
    }

    // Only where a hand asked for the step: while it plays, nobody could listen so fast.
    tell() {
        const { place, title, sentence } = this.now;
        this.told.textContent = [place, title, sentence].filter(Boolean).join(". ");
    }
}
