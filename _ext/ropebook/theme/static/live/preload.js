// Fetch all that Python is made of, so that progress can be shown and a loss can be named. What is here is used at once:
// Python starts while its packages are still on their way.
function choose(table, sources) {
  const {packages} = table.lock, canonical = (name) => name.replace(/[-_.]+/g, "-").toLowerCase();
  const known = new Map(Object.keys(packages).map((name) => [canonical(name), name]));
  const imported = new Set(sources.join("\n").match(/(?<=^\s*(?:import|from) )\w+/gm));
  const wanted = [...table.always, ...Object.keys(packages).filter((name) => packages[name].imports.some((i) => imported.has(i)))];
  const found = new Set();
  for (const todo = [...wanted]; todo.length;) {
    const name = known.get(canonical(todo.pop()));
    if (!found.has(name)) { found.add(name); todo.push(...packages[name].depends); }
  }
  return [...found];
}

// The lock writes sha256 in sixteens, a browser wants it in sixty-fours
const integrity = (sha256) => `sha256-${btoa(String.fromCharCode(...sha256.match(/../g).map((pair) => parseInt(pair, 16))))}`;

/**
 * Returns the addresses of Pyodide's scripts and of the lock; promises of its program and its library, and of each package,
 * as {name, data}; and one of all of them.
 */
export async function preload(home, sources, progress, lost) {
  const halt = new AbortController(); // one loss ends the rest, which would go on reporting progress
  let count = 0, done = 0;
  const report = () => { if (!halt.signal.aborted) progress(done, count); };
  const get = async (address, options, use) => {
    const url = new URL(address, home);
    let why = url.host;
    count++;
    try {
      const reply = await fetch(url, {signal: halt.signal, ...options});
      if (!reply.ok) throw new Error(why = `${reply.status}, ${why}`);
      const got = await use(reply.body);
      done++;
      report();
      return got;
    } catch {
      halt.abort();
      throw lost(url.pathname.split("/").pop(), why);
    }
  };
  const bytesOf = (stream) => new Response(stream).arrayBuffer();
  const compiled = (stream) => WebAssembly.compileStreaming(new Response(stream, {headers: {"Content-Type": "application/wasm"}}));
  const table = await get("live.json", {cache: "no-cache"}, (stream) => new Response(stream).json()), base = new URL(table.pyodide, home);
  for (const entry of Object.values(table.lock.packages)) entry.file_name = new URL(entry.file_name, entry.ours ? home : base).href;
  const core = (name, use) => get(new URL(name, base), {priority: "high"}, use);
  const scripts = table.scripts.map((name) => core(name, bytesOf));
  const [program, library] = [core(table.program, compiled), core(table.library, bytesOf)];
  const packages = choose(table, sources).map((name) => table.lock.packages[name])
    .map((entry) => get(entry.file_name, {integrity: integrity(entry.sha256)}, async (stream) => ({name: entry.name, data: await bytesOf(stream)})));
  const here = Promise.all(scripts), all = Promise.all([here, program, library, ...packages]);
  for (const promise of [here, all]) promise.catch(() => {}); // a loss is told where they are awaited
  const lock = URL.createObjectURL(new Blob([JSON.stringify(table.lock)], {type: "application/json"}));
  return {scripts: table.scripts.map((name) => new URL(name, base).href), here, program, library, packages, lock, all};
}
