// Fetch all that Python needs before it starts, so that progress can be shown and a loss can be named.
const AT_ONCE = 4;

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

/** Returns the address of Pyodide's script, of the lock, and the names of the packages. */
export async function preload(home, sources, progress, lost) {
  const halt = new AbortController(); // one loss ends the rest, which would go on reporting progress
  const get = async (address, options) => {
    const name = new URL(address).pathname.split("/").pop();
    let reply;
    try { reply = await fetch(address, {signal: halt.signal, ...options}); } catch { throw lost(name, new URL(address).host); }
    if (!reply.ok) throw lost(name, `${reply.status}, ${new URL(address).host}`);
    return reply;
  };
  const table = await (await get(new URL("live.json", home), {cache: "no-cache"})).json(), base = new URL(table.pyodide, home);
  for (const entry of Object.values(table.lock.packages)) entry.file_name = new URL(entry.file_name, entry.ours ? home : base).href;
  const packages = choose(table, sources);
  const files = [...table.core.map((name) => new URL(name, base).href), ...packages.map((name) => table.lock.packages[name].file_name)];
  const todo = [...files];
  let done = 0, bytes = 0;
  const report = () => { if (!halt.signal.aborted) progress(done, files.length, bytes); };
  const work = async () => {
    for (let address; (address = todo.shift());) {
      const reader = (await get(address)).body.getReader();
      try {
        for (let part; !(part = await reader.read()).done;) { bytes += part.value.length; report(); }
      } catch { throw lost(address.split("/").pop(), new URL(address).host); }
      done++;
      report();
    }
  };
  try {
    await Promise.all(Array.from({length: AT_ONCE}, work));
  } catch (error) {
    halt.abort();
    throw error;
  }
  const lock = URL.createObjectURL(new Blob([JSON.stringify(table.lock)], {type: "application/json"}));
  return {script: new URL("pyodide.js", base).href, lock, packages};
}
