// Python in a worker: it starts Pyodide, runs one cell after another, and posts what comes out.
// Messages in: start {script, lock, packages, cells}, run {id, code, name, alts}, call {id, number, values}.
// Messages out: ready, output {id, output}, done {id, right}, failed {why}.
let python, cells, packages, id, queue = Promise.resolve();

const post = (kind, more) => postMessage({kind, ...more});

async function start({script, lock, packages: names, cells: source}) {
  importScripts(script);
  python = await loadPyodide({
    indexURL: script.slice(0, script.lastIndexOf("/") + 1), lockFileURL: lock, packages: names,
    env: {HOME: "/home/pyodide", MPLBACKEND: "module://cells_backend"},
  });
  packages = (await (await fetch(lock)).json()).packages;
  python.FS.writeFile("/home/pyodide/cells.py", source);
  cells = python.runPython("import sys; sys.path.insert(0, '/home/pyodide'); import cells; cells.begin(); cells");
  cells.send = (text) => post("output", {id, output: JSON.parse(text)});
  python.runPython("import ropelib, matplotlib.pyplot");
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
  id = job.id;
  if (kind === "run") await fetchFor(job.code);
  const right = kind === "run" ? cells.run(job.code, job.name, JSON.stringify(job.alts)) : cells.call(job.number, JSON.stringify(job.values));
  post("done", {id, right});
}

onmessage = ({data}) => { queue = queue.then(() => work(data)).catch((error) => post("failed", {why: String(error?.message ?? error)})); };
