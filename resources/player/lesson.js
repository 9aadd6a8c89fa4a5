// A lesson beside its player: each step with its question, which is asked before it is shown.

function prose(paragraphs) {
    const written = [];
    for (const { item, pieces: parts } of paragraphs) {
        const inside = pieces(parts);
        if (!item) written.push(made("p", {}, ...inside));
        else if (written.at(-1)?.tagName === "UL") written.at(-1).append(made("li", {}, ...inside));
        else written.push(made("ul", {}, made("li", {}, ...inside)));
    }
    return written;
}

function pieces(parts) {
    return parts.map(([text, kind]) => kind ? made(kind, {}, text) : text);
}

class Lesson {
    constructor(player, { summary, steps }) {
        this.player = player;
        this.words = player.words;
        this.steps = steps;
        this.answered = new Map();
        this.place = made("p", { class: "place" });
        this.body = made("div", { class: "body", "aria-live": "polite" });
        this.back = button(this.words.back, SIGNS.back);
        this.on = button(this.words.on, "", "on");
        this.back.addEventListener("click", () => this.enter(this.number - 1));
        this.on.addEventListener("click", () => this.goOn());
        this.panel = made("section", { class: "panel lesson", "aria-label": this.words.lesson }, made("p", { class: "summary" }, summary),
            this.place, this.body, made("div", { class: "row" }, this.back, this.on));
        player.main.classList.add("taught");
        player.main.querySelector("header").after(this.panel);
        player.picked = spot => this.pick(spot);
        const asked = Number.parseInt(new URLSearchParams(location.hash.slice(1)).get("lesson"), 10);
        this.enter(Number.isInteger(asked) ? asked - 1 : 0);
    }

    get step() {
        return this.steps[this.number];
    }

    get waits() {
        return this.step.asked !== null && !this.answered.has(this.number);
    }

    enter(number) {
        this.number = Math.min(Math.max(number, 0), this.steps.length - 1);
        this.player.open(this.waits ? this.step.asked : this.step.told);
        this.write();
    }

    goOn() {
        if (this.waits) this.tell("");
        else this.enter(this.number + 1);
    }

    // Says the answer, after what was said of the one that was given.
    tell(said) {
        this.answered.set(this.number, said);
        this.player.open(this.step.told);
        this.write();
    }

    write() {
        const { place, headline, narration, task, question, answer } = this.step, { waits } = this;
        const parts = [made("h2", {}, headline), ...prose(narration)];
        if (task) parts.push(made("p", { class: "task" }, task));
        if (question) parts.push(made("div", { class: "question" }, ...prose(question.asked), ...this.inputs(question, waits)));
        const said = this.answered.get(this.number);
        if (said) parts.push(made("p", { class: "said" }, said));
        if (!waits) parts.push(...prose(answer));
        this.place.textContent = place;
        this.body.replaceChildren(...parts);
        this.back.disabled = this.number === 0;
        this.on.textContent = waits ? (question ? this.words.reveal : this.words.done) : this.words.on;
        this.on.setAttribute("aria-label", this.on.textContent);
        this.on.disabled = !waits && this.number === this.steps.length - 1;
    }

    inputs(question, waits) {
        if (question.choices.length) return question.choices.map(({ text, right, said }) => {
            const choice = made("button", { type: "button", class: "choice" }, ...(!waits && right ? ["✓ "] : []), ...pieces(text));
            choice.disabled = !waits;
            choice.addEventListener("click", () => this.tell(said));
            return choice;
        });
        if (!waits) return [];
        const field = made("input", { type: "text", inputmode: "decimal", "aria-label": question.hint });
        const give = button(this.words.answer), refused = made("p", { class: "refused", role: "alert" });
        const given = () => this.give(field.value, refused);
        give.addEventListener("click", given);
        field.addEventListener("keydown", event => { if (event.key === "Enter") given(); });
        this.field = field;
        return [made("p", { class: "hint" }, question.hint), made("div", { class: "row" }, field, give), refused];
    }

    give(text, refused) {
        const plain = text.normalize("NFKC").replace("\u2212", "-").replace(/[\s,]/g, ""), number = Number(plain);
        const lane = /^\+?\d+$/.test(plain) && number < 32;
        if (plain === "" || !Number.isFinite(number) || this.step.question.lane && !lane) {
            refused.textContent = this.words.refused;
            return;
        }
        const { right, tolerance, said, unknown } = this.step.question;
        const correct = right.some(each => Math.abs(number - each) <= tolerance * Math.abs(each));
        this.tell(unknown || said[correct ? 1 : 0].replace("{given}", text.trim()));
    }

    // A touch on a lane answers a question for one.
    pick(spot) {
        const { question } = this.step;
        if (this.waits && question && !question.choices.length && this.field && spot.lane >= 0) this.field.value = spot.lane;
    }
}

unpacked().then(scene => {
    window.player = new Player(scene);
    if (scene.lesson) window.lesson = new Lesson(window.player, scene.lesson);
    window.player.opened = performance.now();
});
