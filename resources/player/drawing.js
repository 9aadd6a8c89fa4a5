"use strict";
// Draws the steps of a packed page: app/core/export/display_list.py says what is in it.

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
        this.hatches = new Map();
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
            pen.fillStyle = mark.length > 5 ? this.hatch(pen, colour, this.scene.texts[mark[5]], scale) : colour;
            pen.imageSmoothingEnabled = false;
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

    // A pattern of 8 x 8 pixels of the screen, however fine it is; two digits are a row.
    hatch(pen, colour, rows, scale) {
        const key = `${colour} ${rows}`;
        let found = this.hatches.get(key);
        if (!found) {
            const tile = document.createElement("canvas"), ink = tile.getContext("2d");
            tile.width = tile.height = 8;
            ink.fillStyle = colour;
            for (let y = 0; y < 8; ++y)
                for (let x = 0; x < 8; ++x)
                    if (parseInt(rows.slice(2 * y, 2 * y + 2), 16) & 128 >> x) ink.fillRect(x, y, 1, 1);
            this.hatches.set(key, found = pen.createPattern(tile, "repeat"));
        }
        found.setTransform({ a: 1 / scale, d: 1 / scale });
        return found;
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
