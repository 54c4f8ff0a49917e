// Live cells: the page's own code, editable and run by Python (Pyodide) in the reader's browser.
// Loaded when the reader asks for it; until Python answers, the page stays as it was.
import {inlineFigures} from "./figures.js";
import {preload} from "./preload.js";

const HERE = new URL("./", import.meta.url);
const REQUIRE = "https://cdnjs.cloudflare.com/ajax/libs/require.js/2.3.6/require.min.js";
const PATIENCE = 240, LONG = 15; // seconds until the start is given up, and until a cell's running is remarked on

let words, panel, status, bar, core, server, rendermime, notebook, session, scripts;
let cells = [], queue = Promise.resolve(), stop = () => {};

const fill = (key, ...values) => values.reduce((text, value) => text.replace("%s", value), words[key]);
const say = (text, state) => { status.textContent = text; if (state) panel.dataset.state = state; };

function button(text, act) {
  const made = Object.assign(document.createElement("button"), {type: "button", className: "button", textContent: text});
  made.addEventListener("click", act);
  return made;
}

function script(path) {
  return new Promise((done, failed) => {
    const made = Object.assign(document.createElement("script"), {src: new URL(path, HERE), onload: done});
    made.onerror = () => { made.remove(); failed(new Error(fill("lost", path.split("/").pop()))); };
    document.head.append(made);
  });
}

// thebe fetches RequireJS from an address of its own; the book holds a copy
function answerRequire() {
  const fetch = window.fetch;
  window.fetch = (address, options) => fetch.call(window, address === REQUIRE ? new URL("require.js", HERE) : address, options);
}

// JupyterLite would install a service worker for files, which the cells do not need
async function withoutServiceWorker(start) {
  Object.defineProperty(navigator, "serviceWorker", {value: undefined, configurable: true});
  try { return await start(); } finally { delete navigator.serviceWorker; }
}

function prepare() {
  if (document.querySelector("#jupyter-config-data")) return;
  document.head.append(Object.assign(document.createElement("script"), {
    id: "jupyter-config-data", type: "application/json",
    textContent: JSON.stringify({baseUrl: HERE.href, contentsStorageDrivers: '["memoryStorageDriver"]', workspacesStorageDrivers: '["memoryStorageDriver"]'}),
  }));
  document.head.append(Object.assign(document.createElement("link"), {rel: "stylesheet", href: new URL("live.css", HERE)}));
  answerRequire();
}

async function loadEditor() {
  prepare();
  await script("thebe-lite/thebe-lite.min.js");
  await script("thebe/index.js");
}

// What fails inside the worker comes out as a promise that nobody waits for
function orFailure(promise) {
  return new Promise((done, failed) => {
    const lost = (event) => failed(event.reason instanceof Error ? event.reason : new Error(String(event.reason)));
    const late = setTimeout(() => failed(new Error(fill("slow", PATIENCE / 60))), PATIENCE * 1000);
    addEventListener("unhandledrejection", lost);
    promise.then(done, failed).finally(() => { clearTimeout(late); removeEventListener("unhandledrejection", lost); });
  });
}

async function startPython() {
  const made = await server.startNewSession(rendermime);
  if (!made?.kernel) throw new Error(words.dead);
  const reply = await made.kernel.requestExecute({code: "import ropelib, ipywidgets, matplotlib.pyplot", silent: true, store_history: false}).done;
  if (reply.content.status !== "ok") throw new Error(`${reply.content.ename}: ${reply.content.evalue}`);
  return made;
}

async function startServer(python) {
  core = window.thebeCore.api;
  const config = core.makeConfiguration({mathjaxUrl: "", kernelOptions: {kernelName: "python", path: "/"}});
  server = core.makeServer(config);
  rendermime = core.makeRenderMimeRegistry(config.mathjax);
  inlineFigures(rendermime);
  await withoutServiceWorker(() => server.connectToJupyterLiteServer({litePluginSettings: {"@jupyterlite/pyodide-kernel-extension:kernel": {
    pyodideUrl: python.script, disablePyPIFallback: true, loadPyodideOptions: {lockFileURL: python.lock, packages: python.packages},
    pipliteUrls: [], pipliteWheelUrl: new URL("thebe-lite/pypi/piplite-0.4.7-py3-none-any.whl", HERE).href,
  }}}));
  return config;
}

const code = () => [...document.querySelectorAll(".bd-article .cell_input pre")].map((pre) => pre.textContent);
const foldsOf = (node) => { const folds = []; while ((node = node.parentElement?.closest("details"))) folds.push(node); return folds; };

export async function start(element) {
  panel = element;
  words = JSON.parse(panel.dataset.words);
  status = panel.querySelector(".live-status");
  bar = panel.querySelector("progress");
  const first = panel.querySelector(".live-start");
  first.disabled = true;
  panel.querySelector(".live-help").hidden = true;
  bar.hidden = false;
  bar.removeAttribute("value");
  try {
    say(words.editor, "loading");
    await (scripts ??= loadEditor().catch((error) => { scripts = undefined; throw error; }));
    const python = await preload(HERE, code(), (done, all, bytes) => {
      bar.max = all;
      bar.value = done;
      say(fill("python", done, all, (bytes / 1e6).toFixed(1)));
    }, (name, why) => new Error(fill("lost", name) + (why ? ` (${why})` : "")));
    bar.removeAttribute("value");
    say(words.start, "starting");
    const config = await orFailure(startServer(python));
    session = await orFailure(startPython());
    makeCells(config);
    notebook.attachSession(session);
    first.hidden = true;
    bar.hidden = true;
    panel.append(button(words.all, runAll), button(words.restart, () => restart(words.fresh)));
    panel.querySelector(".live-about").hidden = true;
    say(words.ready, "ready");
  } catch (error) {
    console.info("live cells:", error);
    bar.hidden = true;
    first.disabled = false;
    first.lastElementChild.textContent = words.again;
    say(fill("failed", error.message), "failed");
    panel.querySelector(".live-help").hidden = false;
  }
}

function makeCells(config) {
  const found = [...document.querySelectorAll(".bd-article div.cell")].filter((cell) => cell.querySelector(".cell_input pre"));
  const late = (cell) => cell.closest("details.setup") === null; // the set-up stands last in the page and runs first
  found.sort((a, b) => late(a) - late(b));
  const blocks = found.map((cell, k) => ({id: `live-${k}`, source: cell.querySelector(".cell_input pre").textContent.trim()}));
  notebook = core.setupNotebookFromBlocks(blocks, config, rendermime);
  const places = found.map((cell, k) => {
    cell.querySelector(".copy")?.remove();
    const live = Object.assign(document.createElement("div"), {className: "live-output", hidden: true});
    document.body.append(live); // its place is taken when the cell first runs
    return {id: `live-${k}`, placeholders: {source: cell.querySelector(".cell_input div.highlight"), output: live}};
  });
  const items = window.thebe.renderAllCells({mountRunButton: false, mountRunAllButton: false, mountRestartButton: false, mountRestartAllButton: false}, notebook, places);
  cells = items.map((item, k) => makeCell(found[k], item, k));
}

function makeCell(element, item, k) {
  const cell = {element, item, k, number: k + 1, kernel: notebook.cells[k], runs: 0};
  const editor = item.ui.editor.querySelector(".CodeMirror").CodeMirror;
  // Tab leaves the editor, so that the keyboard is never caught; Ctrl + ] indents
  editor.setOption("extraKeys", {...editor.getOption("extraKeys"), Tab: false, "Shift-Tab": false});
  editor.setOption("screenReaderLabel", fill("cell", cell.number));
  editor.setOption("lineNumbers", false);
  editor.setOption("lineWrapping", true); // a box that scrolls would be out of the keyboard's reach
  editor.setOption("viewportMargin", Infinity);
  cell.editor = editor;
  cell.button = button(words.run, () => (cell.running ? restart(words.stopped) : cell.kernel.execute()));
  item.ui.cell.querySelector(".thebe-controls").replaceChildren(cell.button);
  cell.state = Object.assign(document.createElement("span"), {className: "live-state"});
  cell.button.after(cell.state);
  cell.execute = cell.kernel.execute.bind(cell.kernel);
  cell.kernel.execute = () => { queue = queue.then(() => run(cell)); return queue; };
  for (const fold of foldsOf(item.ui.editor)) fold.addEventListener("toggle", () => editor.refresh());
  label(cell);
  return cell;
}

function label(cell) {
  cell.button.textContent = cell.running ? words.stop : words.run;
  cell.button.setAttribute("aria-label", `${cell.button.textContent} (${fill("cell", cell.number)})`);
}

// The stored outputs give way to the live ones when a cell first runs
function takePlace(cell) {
  const stored = cell.element.querySelector(".cell_output"), live = cell.item.ui.output;
  const names = stored ? [...stored.querySelectorAll("svg[role=img]")].map((svg) => svg.getAttribute("aria-label")) : [];
  const caption = stored?.querySelector("figcaption"), place = stored ?? document.createElement("div");
  place.classList.add("cell_output");
  if (caption) {
    for (const other of [...stored.children]) if (!other.contains(caption)) other.remove();
    for (const other of [...caption.parentElement.children]) if (other !== caption) other.remove();
    caption.before(live);
  } else {
    place.replaceChildren(live);
  }
  if (!stored) cell.element.append(place);
  live.hidden = false;
  new MutationObserver(() => {
    live.querySelectorAll("svg.ropelib:not([aria-label])").forEach((svg, k) => svg.setAttribute("aria-label", names[k] ?? fill("picture", cell.number)));
    // a widget's slider has its name beside it, where a screen reader does not look
    for (const handle of live.querySelectorAll("[role=slider]:not([aria-label])")) {
      const name = handle.closest(".jupyter-widgets")?.querySelector(".widget-label")?.textContent.trim();
      if (name) handle.setAttribute("aria-label", name);
    }
  }).observe(live, {childList: true, subtree: true});
}

// An output wider than the page can be reached and scrolled by keyboard
function reach(cell) {
  const live = cell.item.ui.output, wide = live.scrollWidth > live.clientWidth + 1;
  for (const [name, value] of [["tabindex", "0"], ["role", "group"], ["aria-label", fill("cell", cell.number)]]) {
    if (wide) live.setAttribute(name, value); else live.removeAttribute(name);
  }
}

const reachAll = () => requestAnimationFrame(() => cells.filter((cell) => cell.runs).forEach(reach));
addEventListener("resize", reachAll);
addEventListener("toggle", reachAll, true);

async function run(cell) {
  if (!session) return null;
  if (!cell.runs++) takePlace(cell);
  cell.running = true;
  label(cell);
  cell.state.textContent = "…";
  say(fill("running", cell.number), "running");
  const late = setTimeout(() => {
    for (const fold of foldsOf(cell.button)) fold.open = true; // Stop is in reach
    say(fill("long", cell.number, LONG));
  }, LONG * 1000);
  const result = await Promise.race([cell.execute(cell.kernel.source), new Promise((done) => { stop = () => done("stopped"); })]);
  clearTimeout(late);
  cell.running = false;
  label(cell);
  if (result === "stopped") { cell.state.textContent = ""; return result; }
  const wrong = !result || result.error;
  cell.state.textContent = wrong ? "✗" : "✓";
  if (wrong) for (const fold of foldsOf(cell.button)) fold.open = true;
  const mark = cell.element.querySelector("summary > .mark");
  if (mark) mark.textContent = cell.state.textContent;
  reach(cell);
  say(fill(wrong ? "wrong" : "ran", cell.number), "ready");
  return result;
}

async function runAll() {
  for (const cell of cells) {
    const result = await cell.kernel.execute();
    if (!result || result === "stopped" || result.error) return;
  }
  say(fill("done", cells.length), "ready");
}

// Python in a browser cannot be interrupted: it is ended, and another one started
async function restart(then) {
  if (!session) return;
  const old = session, halted = cells.find((cell) => cell.running);
  session = undefined;
  stop();
  say(words.stopping, "starting");
  bar.hidden = false;
  try {
    await old.shutdown().catch(() => {});
    queue = Promise.resolve();
    const fresh = await orFailure(startPython());
    notebook.attachSession(fresh);
    session = fresh;
    for (const cell of cells) cell.state.textContent = "";
    if (halted) { halted.kernel.clear(); halted.state.textContent = then; }
    say(then, "ready");
  } catch (error) {
    say(fill("failed", error.message), "failed");
    panel.querySelector(".live-help").hidden = false;
  }
  bar.hidden = true;
}

// For the tests: what each cell put out, as a notebook stores it
export const outputs = () => cells.map((cell) => cell.kernel.outputs);
