// Live cells: the page's own code, editable and run by Python (Pyodide) in the reader's browser.
// Loaded when the reader asks for it; until Python answers, the page stays as it was. One press loads Python and runs the page.
import {controls} from "./controls.js";
import {editors} from "./editor.js";
import {Outputs} from "./outputs.js";
import {preload} from "./preload.js";
import {Python} from "./python.js";

const HERE = new URL("./", import.meta.url);
const PATIENCE = 240, LONG = 15; // seconds until the start is given up, and until a cell's running is remarked on

let words, panel, status, bar, python, files, tries = 0;
let cells = [], queue = Promise.resolve(), waiting = 0;

const fill = (key, ...values) => values.reduce((text, value) => text.replace("%s", value), words[key]);
const say = (text, state) => { status.textContent = text; if (state) panel.dataset.state = state; };
const lost = (name, why) => new Error(fill("lost", name) + (why ? ` (${why})` : ""));

function button(text, act) {
  const made = Object.assign(document.createElement("button"), {type: "button", className: "button", textContent: text});
  made.addEventListener("click", act);
  return made;
}

async function loadEditor() {
  const sheet = new URL("live.css", HERE).href;
  if (!document.querySelector(`link[href="${sheet}"]`)) document.head.append(Object.assign(document.createElement("link"), {rel: "stylesheet", href: sheet}));
  // a browser remembers a module that was lost under its address
  try { return editors(await import(new URL(`codemirror.js?${tries}`, HERE))); } catch { tries++; throw lost("codemirror.js"); }
}

async function text(name) {
  try {
    const reply = await fetch(new URL(name, HERE));
    if (reply.ok) return await reply.text();
  } catch {}
  throw lost(name);
}

const code = () => [...document.querySelectorAll(".bd-article .cell_input pre")].map((pre) => pre.textContent);
const foldsOf = (node) => { const folds = []; while ((node = node.parentElement?.closest("details"))) folds.push(node); return folds; };
const newPython = () => Python.start(HERE, files, PATIENCE, fill("slow", PATIENCE / 60));

export async function start(element) {
  panel = element;
  words = JSON.parse(panel.dataset.words);
  status = panel.querySelector(".live-status");
  bar = panel.querySelector("progress");
  const first = panel.querySelector(".live-start");
  panel.querySelector(".live-help").hidden = true;
  bar.hidden = false;
  bar.removeAttribute("value");
  const progress = (done, all) => {
    if (bar.hidden) return; // another file was lost meanwhile
    bar.max = all;
    bar.value = done;
    say(fill("python", done, all));
  };
  say(fill("python", 0, "…"), "loading");
  files = Promise.all([preload(HERE, code(), progress, lost), text("cells.py")]).then(([found, source]) => ({...found, cells: source}));
  const starting = newPython(); // with what is here already
  starting.catch(() => {}); // told below, where it is awaited
  try {
    const edit = await loadEditor();
    await (await files).all;
    bar.removeAttribute("value");
    say(words.start, "starting");
    makeCells(edit);
    python = await starting;
    cells.forEach(placeCell);
    first.hidden = true;
    bar.hidden = true;
    panel.append(button(words.all, runAll), button(words.restart, () => restart(words.fresh)));
    if (document.activeElement === panel) panel.querySelector("button:not(.live-start)").focus({preventScroll: true});
    await runAll();
  } catch (error) {
    console.info("live cells:", error);
    starting.then((made) => made.end(), () => {});
    bar.hidden = true;
    say(fill("failed", error.message), "failed");
    panel.querySelector(".live-help").hidden = false;
    if (document.activeElement === panel) first.focus({preventScroll: true});
  }
}

function makeCells(edit) {
  const found = [...document.querySelectorAll(".bd-article div.cell")].filter((cell) => cell.querySelector(".cell_input pre"));
  const late = (cell) => cell.closest("details.setup") === null; // the set-up stands last in the page and runs first
  found.sort((a, b) => late(a) - late(b));
  cells = found.map((element, k) => makeCell(element, k, edit));
}

function makeCell(element, k, edit) {
  const cell = {element, k, number: k + 1, fresh: false};
  const source = element.querySelector(".cell_input pre").textContent.trim();
  cell.editor = edit(source, fill("cell", cell.number), () => pressed(cell));
  cell.button = button(words.run, () => (cell.running ? restart(words.stopped) : pressed(cell)));
  cell.state = Object.assign(document.createElement("span"), {className: "live-state"});
  cell.bar = Object.assign(document.createElement("div"), {className: "live-cell"});
  cell.bar.append(cell.button, cell.state);
  cell.box = Object.assign(document.createElement("div"), {className: "live-output"});
  cell.outputs = new Outputs(cell.box, (spec) => controls(spec, cell.outputs, (number, values, put) => python.ask({kind: "call", number, values}, put)));
  label(cell);
  return cell;
}

// Until Python answers, the page stays as it was
function placeCell(cell) {
  for (const tool of cell.element.querySelectorAll(".copy, .wrap")) tool.remove();
  cell.element.querySelector(".cell_input div.highlight").replaceWith(cell.editor.element, cell.bar);
}

function label(cell) {
  cell.button.textContent = cell.running ? words.stop : words.run;
  cell.button.setAttribute("aria-label", `${cell.button.textContent} (${fill("cell", cell.number)})`);
}

// The stored outputs give way to the live ones when a cell first runs
function takePlace(cell) {
  const stored = cell.element.querySelector(".cell_output"), place = stored ?? document.createElement("div");
  cell.alts = stored ? [...stored.querySelectorAll(".ropebook.figure [role=img]")].map((image) => image.getAttribute("aria-label")) : [];
  const caption = stored?.querySelector("figcaption");
  place.classList.add("cell_output");
  if (caption) {
    for (const other of [...stored.children]) if (!other.contains(caption)) other.remove();
    for (const other of [...caption.parentElement.children]) if (other !== caption) other.remove();
    caption.before(cell.box);
  } else {
    place.replaceChildren(cell.box);
  }
  if (!stored) cell.element.append(place);
  cell.placed = true;
}

// An output wider than the page can be reached and scrolled by keyboard
function reach(cell) {
  const wide = cell.box.scrollWidth > cell.box.clientWidth + 1;
  for (const [name, value] of [["tabindex", "0"], ["role", "group"], ["aria-label", fill("cell", cell.number)]]) {
    if (wide) cell.box.setAttribute(name, value); else cell.box.removeAttribute(name);
  }
}

const reachAll = () => requestAnimationFrame(() => cells.filter((cell) => cell.placed).forEach(reach));
addEventListener("resize", reachAll);
addEventListener("toggle", reachAll, true);

const opened = (cell) => { for (const fold of foldsOf(cell.button)) fold.open = true; };

// One after another: a press while Python works waits its turn
function inTurn(work) {
  waiting++;
  queue = queue.then(work).then(() => { if (!--waiting && python) panel.dataset.state = "ready"; });
  return queue;
}

// What stands above and has not run yet runs first
const pressed = (cell) => inTurn(async () => {
  for (const above of cells.slice(0, cell.k)) {
    if (above.fresh) continue;
    const result = await run(above);
    if (result === false) cell.state.replaceChildren(button(fill("wrong", above.number), () => above.editor.element.scrollIntoView({block: "center"})));
    if (result !== true) return;
  }
  await run(cell);
});

const runAll = () => inTurn(async () => {
  for (const cell of cells) if ((await run(cell)) !== true) return;
  say(fill("done", cells.length));
});

/** Runs one cell: true, false after an error, "stopped". */
async function run(cell) {
  if (!python) return "stopped";
  if (!cell.placed) takePlace(cell);
  cell.running = true;
  label(cell);
  cell.state.textContent = "…";
  say(fill("running", cell.number), "running");
  const late = setTimeout(() => { opened(cell); say(fill("long", cell.number, LONG)); }, LONG * 1000); // Stop is in reach
  cell.box.style.minHeight = `${cell.box.offsetHeight}px`; // the page does not jump while the old output goes and the new comes
  cell.outputs.clear();
  const result = await python.ask({kind: "run", code: cell.editor.code, name: fill("cell", cell.number), alts: [...cell.alts, fill("picture", cell.number)]}, (output) => cell.outputs.add(output));
  cell.box.style.minHeight = "";
  clearTimeout(late);
  cell.running = false;
  label(cell);
  if (result === "stopped") { cell.state.textContent = ""; return result; }
  cell.fresh = result;
  const graded = /^grade_\w+\(/m.test(cell.editor.code), right = cell.outputs.all.some((one) => one.text?.includes("✓"));
  cell.state.textContent = result ? (graded && !right ? "" : "✓") : "✗"; // an answer that is not right yet gets no tick
  if (!result) opened(cell);
  const mark = cell.element.querySelector("summary > .mark");
  if (mark) mark.textContent = cell.state.textContent;
  reach(cell);
  say(fill(result ? "ran" : "wrong", cell.number));
  return result;
}

// Python in a browser cannot be interrupted: it is ended, and another one started
async function restart(then) {
  if (!python) return;
  const old = python, halted = cells.find((cell) => cell.running);
  python = undefined;
  old.end();
  say(words.stopping, "starting");
  bar.hidden = false;
  try {
    await queue; // what waited its turn finds no Python and lets go
    python = await newPython();
    for (const cell of cells) Object.assign(cell, {fresh: false}).state.textContent = "";
    if (halted) { halted.outputs.clear(); halted.state.textContent = then; }
    say(then, "ready");
  } catch (error) {
    say(fill("failed", error.message), "failed");
    panel.querySelector(".live-help").hidden = false;
  }
  bar.hidden = true;
}

/** For the tests: what each cell put out, as a notebook stores it. */
export const outputs = () => cells.map((cell) => cell.outputs.all);
