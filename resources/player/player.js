// Plays a packed scene: app/core/export/display_list.py says what is in it.
"use strict";

const FILL = 0, STROKE = 1, GLYPHS = 2, IMAGE = 3;
const KEPT_IMAGES = 96;

async function unpacked() {
    const text = document.getElementById("scene").textContent;
    const packed = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const bytes = await new Response(stream).arrayBuffer();
    const length = new DataView(bytes).getUint32(0, true);
    const scene = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
    scene.pixels = new Uint8Array(bytes, 4 + length);
    return scene;
}

// The lists of marks of all steps, made from what differs from step to step.
function listsOf(steps) {
    let list = [];
    return steps.map(step => {
        if (step.drawn.length) {
            list = list.slice();
            for (const [place, gone, ...come] of step.drawn) list.splice(place, gone, ...come);
        }
        return list;
    });
}

class Images {
    constructor(scene, theme) {
        this.scene = scene;
        this.colours = scene.colours.map(pair => parseInt(pair[theme].slice(1), 16));
        this.kept = new Map();
        this.starts = [];
        let at = 0;
        for (const image of scene.images) {
            this.starts.push(at);
            at += 2 * image[5] * image[6];
        }
    }

    canvas(number) {
        let found = this.kept.get(number);
        if (!found) {
            const [, width, height] = this.scene.images[number];
            found = document.createElement("canvas");
            found.width = width;
            found.height = height;
            found.getContext("2d").putImageData(new ImageData(this.colouredPixels(number), width, height), 0, 0);
            this.kept.set(number, found);
            if (this.kept.size > KEPT_IMAGES) this.kept.delete(this.kept.keys().next().value);
        }
        return found;
    }

    colouredPixels(number) {
        const chain = [];
        for (let at = number; at >= 0; at = this.scene.images[at][0]) chain.push(at);
        const [, width, height] = this.scene.images[number];
        const made = new Uint8ClampedArray(4 * width * height), view = new DataView(made.buffer);
        for (const each of chain.reverse()) {
            const [, , , left, top, across, down] = this.scene.images[each];
            let from = this.starts[each];
            for (let y = top; y < top + down; ++y)
                for (let x = left; x < left + across; ++x, from += 2) {
                    const colour = this.scene.pixels[from] | this.scene.pixels[from + 1] << 8;
                    view.setUint32(4 * (y * width + x), this.colours[colour]);
                }
        }
        return made;
    }
}

class Painter {
    constructor(scene, canvas) {
        this.scene = scene;
        this.canvas = canvas;
        this.paths = new Map();
        this.themes = [0, 1].map(theme => new Images(scene, theme));
    }

    path(number) {
        let found = this.paths.get(number);
        if (!found) this.paths.set(number, found = new Path2D(this.scene.texts[number]));
        return found;
    }

    // Draws a list in a theme, as finely as the screen is.
    draw(list, theme) {
        const [width, height] = this.scene.size;
        const scale = Math.max(1, Math.round((this.canvas.clientWidth || width) * devicePixelRatio)) / width;
        const across = Math.round(width * scale), down = Math.round(height * scale);
        if (this.canvas.width !== across || this.canvas.height !== down) {
            this.canvas.width = across;
            this.canvas.height = down;
        }
        const pen = this.canvas.getContext("2d");
        pen.setTransform(scale, 0, 0, scale, 0, 0);
        pen.clearRect(0, 0, width, height);
        for (const number of list) this.mark(pen, this.scene.marks[number], theme, scale);
    }

    mark(pen, mark, theme, scale) {
        const [kind, what, matrix] = mark;
        const [a, b, c, d, e, f] = this.scene.matrices[matrix];
        pen.setTransform(scale * a, scale * b, scale * c, scale * d, scale * e, scale * f);
        if (kind === IMAGE) {
            const [, , , x, y, width, height, opacity] = mark;
            pen.globalAlpha = opacity;
            pen.imageSmoothingEnabled = true;
            pen.drawImage(this.themes[theme].canvas(what), x, y, width, height);
            pen.globalAlpha = 1;
            return;
        }
        const colour = this.scene.colours[what][theme];
        if (kind === FILL) {
            pen.fillStyle = colour;
            pen.fill(this.path(mark[3]), mark[4] ? "evenodd" : "nonzero");
        } else if (kind === STROKE) {
            const [width, cap, join, dashes] = this.scene.pens[mark[4]];
            pen.strokeStyle = colour;
            pen.lineWidth = width;
            pen.lineCap = cap;
            pen.lineJoin = join;
            pen.setLineDash(dashes);
            pen.stroke(this.path(mark[3]));
        } else {
            pen.fillStyle = colour;
            pen.fill(this.line(mark[3], mark[4]));
        }
    }

    // A line of text as one outline.
    line(number, size) {
        const key = `${number} ${size}`;
        let found = this.paths.get(key);
        if (!found) {
            const line = this.scene.lines[number];
            this.paths.set(key, found = new Path2D());
            for (let at = 0; at < line.length; at += 3)
                found.addPath(this.path(line[at]), { a: size, d: size, e: line[at + 1], f: line[at + 2] });
        }
        return found;
    }
}

function made(tag, attributes = {}, ...inside) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...inside);
    return element;
}

// Signs as outlines: few fonts have them.
const SIGNS = {
    first: "M4 4h3v16H4zM20 4v16L8 12z", back: "M17 4v16L6 12z", next: "M7 4v16l11-8z", last: "M17 4h3v16h-3zM4 4v16l12-8z",
    theme: "M12 3a9 9 0 100 18zM12 2a10 10 0 110 20 10 10 0 010-20zm0 2a8 8 0 100 16 8 8 0 000-16z",
};

function drawnSign(outline) {
    const [sign, path] = ["svg", "path"].map(name => document.createElementNS("http://www.w3.org/2000/svg", name));
    for (const [name, value] of Object.entries({ viewBox: "0 0 24 24", width: 18, height: 18, fill: "currentColor", "aria-hidden": "true" }))
        sign.setAttribute(name, value);
    path.setAttribute("d", outline);
    path.setAttribute("fill-rule", "evenodd");
    sign.append(path);
    return sign;
}

class Player {
    constructor(scene) {
        this.scene = scene;
        this.words = scene.words;
        this.lists = listsOf(scene.steps);
        this.step = 0;
        this.since = null;
        this.build();
        this.painter = new Painter(scene, this.canvas);
        this.listen();
        this.follow();
        addEventListener("hashchange", () => this.follow());
    }

    // What an address can ask for after its #, as in scene.html#step=120&theme=dark&only=stage.
    follow() {
        const asked = new URLSearchParams(location.hash.slice(1));
        const dark = matchMedia("(prefers-color-scheme: dark)").matches;
        this.dark = asked.has("theme") ? asked.get("theme") === "dark" : dark;
        document.body.classList.toggle("bare", asked.get("only") === "stage");
        this.dress();
        this.go((Number.parseInt(asked.get("step"), 10) || this.scene.first) - this.scene.first);
    }

    build() {
        const { scene, words } = this;
        this.place = made("span", { class: "place" });
        this.canvas = made("canvas", { tabindex: "0", role: "img" });
        this.title = made("h2");
        this.sentence = made("p");
        this.verdicts = made("ul", { class: "verdicts" });
        this.told = made("div", { class: "unseen", "aria-live": "polite" });
        this.slider = made("input", { type: "range", min: 0, max: scene.steps.length - 1, value: 0, step: 1, "aria-label": words.step });
        this.buttons = {
            first: this.button(SIGNS.first, words.first), back: this.button(SIGNS.back, words.back),
            play: this.button(words.play, words.play, "play"), next: this.button(SIGNS.next, words.next),
            last: this.button(SIGNS.last, words.last), theme: this.button(SIGNS.theme, words.theme),
        };
        this.speed = made("select", { "aria-label": words.speed }, ...[1, 2, 4, 8, 15, 30, 60].map(speed =>
            made("option", { value: speed, ...(speed === 4 ? { selected: "" } : {}) }, words.per_second.replace("{n}", speed))));
        const { first, back, play, next, last, theme } = this.buttons;
        const card = made("div", { class: "panel step" }, this.title, this.sentence, this.verdicts);
        const stage = made("div", { class: "panel" }, this.canvas);
        const parts = made("div", { class: "parts" }, ...(scene.source.length ? [this.code()] : []), stage);
        parts.classList.toggle("coded", scene.source.length > 0);
        const controls = made("div", { class: "panel controls", role: "group", "aria-label": words.controls },
            this.slider, first, back, play, next, last, this.speed, made("span", { class: "gap" }), this.place, theme);
        const head = made("header", {}, made("h1", {}, scene.title));
        const main = made("main", {}, head, parts, card, controls);
        if (scene.findings.length) main.append(this.findings());
        main.append(made("p", { class: "sources" }, scene.sources), this.told);
        document.body.append(main);
    }

    button(sign, name, kind = "") {
        return made("button", { type: "button", "aria-label": name, title: name, class: kind }, sign === name ? name : drawnSign(sign));
    }

    code() {
        this.rows = this.scene.source.map((line, number) => made("div", { "data-number": number + 1 }, line || " "));
        this.text = made("pre", { class: "source", tabindex: "0", "aria-label": this.words.source }, ...this.rows);
        return made("div", { class: "panel code" }, this.text);
    }

    findings() {
        return made("ul", { class: "panel findings", "aria-label": this.words.findings }, ...this.scene.findings.map(({ text, step }) => {
            const found = made("button", { type: "button" }, "⚠ " + text);
            found.disabled = step === null;
            found.addEventListener("click", () => this.go(step));
            return made("li", {}, found);
        }));
    }

    listen() {
        const { first, back, play, next, last, theme } = this.buttons;
        const end = this.scene.steps.length - 1;
        first.addEventListener("click", () => this.go(0));
        back.addEventListener("click", () => this.go(this.step - 1));
        next.addEventListener("click", () => this.go(this.step + 1));
        last.addEventListener("click", () => this.go(end));
        play.addEventListener("click", () => this.toggle());
        this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
        theme.addEventListener("click", () => { this.dark = !this.dark; this.dress(); this.paint(); });
        document.addEventListener("keydown", event => this.pressed(event, end));
        new ResizeObserver(() => this.paint()).observe(this.canvas);
        this.listenToHand();
    }

    // A stroke to the left or to the right is a step, a short touch on the picture plays.
    listenToHand() {
        let from = null;
        this.canvas.addEventListener("pointerdown", event => { from = event.clientX; });
        this.canvas.addEventListener("pointerup", event => {
            const way = from === null ? 0 : event.clientX - from;
            from = null;
            if (Math.abs(way) > 40) this.go(this.step - Math.sign(way));
            else this.toggle();
        });
    }

    pressed(event, end) {
        if (event.ctrlKey || event.altKey || event.metaKey || event.target === this.speed || event.target === this.slider) return;
        const pressedButton = event.target instanceof HTMLButtonElement;
        const moves = { ArrowRight: this.step + 1, ArrowLeft: this.step - 1, Home: 0, End: end, PageDown: this.step + 10, PageUp: this.step - 10 };
        if (event.key in moves) this.go(moves[event.key]);
        else if (event.key === " " && !pressedButton) this.toggle();
        else return;
        event.preventDefault();
    }

    dress() {
        document.documentElement.dataset.theme = this.dark ? "dark" : "light";
    }

    toggle() {
        if (this.since !== null) return this.pause();
        if (this.step === this.scene.steps.length - 1) this.show(0);
        this.since = { time: performance.now(), step: this.step };
        this.sign(this.words.pause);
        requestAnimationFrame(now => this.play(now));
    }

    pause() {
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
        const last = this.scene.steps.length - 1, step = Math.min(this.since.step + passed, last);
        if (step !== this.step) this.show(step);
        if (step === last) this.pause();
        else requestAnimationFrame(later => this.play(later));
    }

    go(step) {
        if (this.since !== null) this.pause();
        this.show(Math.min(Math.max(step, 0), this.scene.steps.length - 1));
        this.tell();
    }

    show(step) {
        this.step = step;
        const { place, title, sentence, views, line } = this.scene.steps[step];
        this.slider.value = step;
        this.slider.setAttribute("aria-valuetext", place);
        this.place.textContent = place;
        this.title.textContent = title;
        this.sentence.textContent = sentence;
        this.verdicts.replaceChildren(...views.map(text => made("li", {}, text)));
        this.canvas.setAttribute("aria-label", [title, sentence, ...views].join(". "));
        this.light(line);
        this.paint();
    }

    light(line) {
        if (!this.rows) return;
        this.lit?.classList.remove("now");
        this.lit = this.rows[line - 1];
        if (!this.lit) return;
        this.lit.classList.add("now");
        const top = this.lit.offsetTop, { scrollTop, clientHeight } = this.text;
        if (top < scrollTop + 20 || top > scrollTop + clientHeight - 40) this.text.scrollTop = top - clientHeight / 2;
    }

    paint() {
        this.painter.draw(this.lists[this.step], this.dark ? 1 : 0);
    }

    // Only where a hand asked for the step: while it plays, nobody could listen so fast.
    tell() {
        const { place, title, sentence } = this.scene.steps[this.step];
        this.told.textContent = [place, title, sentence].join(". ");
    }
}

unpacked().then(scene => { window.player = new Player(scene); });
