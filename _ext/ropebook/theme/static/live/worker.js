// Python in a worker: it starts Pyodide, runs one cell after another, and posts what comes out.
// Messages in: start {scripts, lock, program, library, cells}, then add {name, files} for each package, then begin;
// after that run {id, code, name, alts} and call {id, number, values}.
// Messages out: ready, output {id, output}, done {id, right}, failed {why}.
let python, site, cells, packages, id, queue = Promise.resolve();

const post = (kind, more) => postMessage({kind, ...more});

// The page has fetched the program and compiled it; Pyodide would do both again
function given(program) {
  const {fetch} = self;
  self.fetch = (address, options) => (/\.wasm$/.test(address) ? Promise.resolve(program) : fetch(address, options));
  const {instantiateStreaming} = WebAssembly;
  WebAssembly.instantiateStreaming = async (source, imports) => ((await source) === program
    ? {module: program, instance: await WebAssembly.instantiate(program, imports)} : instantiateStreaming(source, imports));
}

async function start({scripts, lock, program, library, cells: source}) {
  given(program);
  importScripts(...scripts);
  python = await loadPyodide({
    indexURL: scripts[0].slice(0, scripts[0].lastIndexOf("/") + 1), lockFileURL: lock, stdLibURL: URL.createObjectURL(new Blob([library])),
    env: {HOME: "/home/pyodide", MPLBACKEND: "module://cells_backend"},
  });
  packages = (await (await fetch(lock)).json()).packages;
  python.FS.writeFile("/home/pyodide/cells.py", source);
  cells = python.runPython("import importlib, sys; sys.path.insert(0, '/home/pyodide'); import cells; cells");
  cells.send = (text) => post("output", {id, output: JSON.parse(text)});
  site = python.runPython("next(path for path in sys.path if path.endswith('site-packages'))");
}

function add({name, files}) {
  for (const [path, data] of files) {
    const at = `${site}/${path}`;
    python.FS.mkdirTree(at.slice(0, at.lastIndexOf("/")));
    python.FS.writeFile(at, data, {canOwn: true});
  }
  python.loadedPackages[name] = "the page";
  if (name === "numpy") python.runPython("importlib.invalidate_caches(); import numpy"); // while the page unpacks the others
}

function begin() {
  python.runPython("importlib.invalidate_caches(); cells.begin(); import ropelib, matplotlib.pyplot");
  post("ready");
}

// A package that the page did not ask for and the reader's cell does
async function fetchFor(code) {
  const names = new Set(code.match(/(?<=^\s*(?:import|from) )\w+/gm));
  const known = new Set(Object.keys(python.loadedPackages));
  const wanted = Object.values(packages).filter((p) => !known.has(p.name) && p.imports.some((name) => names.has(name)));
  if (wanted.length) await python.loadPackage(wanted.map((p) => p.name), {messageCallback() {}, errorCallback() {}});
}

async function work({kind, ...job}) {
  if (kind === "start") return start(job);
  if (kind === "add") return add(job);
  if (kind === "begin") return begin();
  id = job.id;
  if (kind === "run") await fetchFor(job.code);
  const right = kind === "run" ? cells.run(job.code, job.name, JSON.stringify(job.alts)) : cells.call(job.number, JSON.stringify(job.values));
  post("done", {id, right});
}

onmessage = ({data}) => { queue = queue.then(() => work(data)).catch((error) => post("failed", {why: String(error?.message ?? error)})); };
