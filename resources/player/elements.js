// Elements of the page, and buttons with signs.

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
    large: "M10 3a7 7 0 104.2 12.6l4.6 4.6 1.4-1.4-4.6-4.6A7 7 0 0010 3zm0 2a5 5 0 110 10 5 5 0 010-10zM9 7h2v2h2v2h-2v2H9v-2H7V9h2z",
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

function button(text, sign = "", kind = "") {
    return made("button", { type: "button", "aria-label": text, title: text, class: kind }, sign ? drawnSign(sign) : text);
}
