// Outputs of a cell, shown as the page shows stored ones and kept as a notebook keeps them.
let figures = 0;

const element = (name, className, text = "") => Object.assign(document.createElement(name), {className, textContent: text});

// A page holds an id once, and every figure has the same
const ownIds = (html) => { const mark = `live${figures++}-`; return html.replace(/(\bid="|href="#|url\(#)(?=[\w.-])/g, `$1${mark}`); };

function markup(className, html) {
  const box = element("div", className);
  box.innerHTML = html;
  for (const script of box.querySelectorAll("script:not([type]), script[type='text/javascript'], script[type=module]")) {
    const alive = document.createElement("script"); // a script that came as text does not run
    for (const {name, value} of script.attributes) alive.setAttribute(name, value);
    alive.textContent = script.textContent;
    script.replaceWith(alive);
  }
  return box;
}

function shown(data, controls) {
  if (data["text/x-controls"]) return controls(JSON.parse(data["text/x-controls"]));
  if (data["text/x-page"]) return markup("ropebook figure", ownIds(data["text/x-page"]));
  if (data["text/html"]) return markup("ropebook", data["text/html"]);
  if (data["image/svg+xml"]) return markup("ropebook figure", ownIds(data["image/svg+xml"]));
  if (data["image/png"]) return Object.assign(element("img", ""), {src: `data:image/png;base64,${data["image/png"]}`, alt: data["text/plain"]});
  return element("pre", "", data["text/plain"]);
}

export class Outputs {
  /** `controls(spec)` makes the sliders of `interact`. */
  constructor(box, controls) { Object.assign(this, {box, controls, all: []}); }

  clear() { this.cut(0); }

  /** Only the first `count` outputs stay. */
  cut(count) {
    this.all.length = Math.min(this.all.length, count);
    for (const old of [...this.box.children].slice(count)) old.remove();
  }

  add(output) {
    const last = this.all.at(-1);
    if (output.output_type === "stream" && last?.output_type === "stream" && last.name === output.name) {
      last.text += output.text;
      this.box.lastElementChild.textContent = last.text.replace(/\n$/, "");
      return;
    }
    this.all.push(output);
    if (output.output_type === "stream") this.box.append(element("pre", output.name, output.text.replace(/\n$/, "")));
    else if (output.output_type === "error") this.box.append(element("pre", "stderr", output.traceback.join("\n")));
    else this.box.append(shown(output.data, this.controls));
  }
}
