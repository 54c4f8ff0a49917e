// The page's side of the worker: one Python, one cell at a time. Ending it is the only way to interrupt it.
import {unzip} from "./unzip.js";

export class Python {
  /** `files` promises what preload gives, and cells.py; `home` is the folder of these scripts. Resolves once Python is ready, or rejects in time. */
  static async start(home, files, patience, late) {
    const made = new Python();
    made.worker = new Worker(new URL("worker.js", home));
    made.waiting = new Map();
    made.count = 0;
    await new Promise((done, failed) => {
      let timer;
      const fetched = () => { timer = setTimeout(() => failed(new Error(late)), patience * 1000); }; // a slow network may take its time
      files.then(({all}) => all).then(fetched, failed);
      const end = (act, value) => { clearTimeout(timer); act(value); };
      made.begun = () => end(done);
      made.broken = (why) => end(failed, new Error(why));
      made.worker.onmessage = ({data}) => made.hear(data);
      made.worker.onerror = (event) => made.hear({kind: "failed", why: event.message || "worker.js"});
      made.feed(files).catch((error) => end(failed, error));
    }).catch((error) => { made.end(); throw error; });
    return made;
  }

  // Each part goes to the worker as it comes. A fresh Python is fed from what is kept here.
  async feed(files) {
    const {scripts, here, program, library, packages, lock, cells} = await files;
    const tell = (kind, more, moved) => this.worker.postMessage({kind, ...more}, moved);
    await here;
    tell("start", {scripts, lock, program: await program, library: await library, cells});
    await Promise.all(packages.map(async (one) => {
      const {name, data} = await one, files = await unzip(data);
      tell("add", {name, files}, files.map(([, bytes]) => bytes.buffer));
    }));
    tell("begin");
  }

  hear({kind, id, ...news}) {
    if (kind === "ready") this.begun();
    const job = this.waiting.get(id);
    if (kind === "output") job?.output(news.output);
    if (kind === "done") { this.waiting.delete(id); job?.done(news.right); }
    if (kind === "failed") {
      this.broken(news.why);
      for (const other of this.waiting.values()) { other.output({output_type: "error", ename: "Error", evalue: news.why, traceback: [news.why]}); other.done(false); }
      this.waiting.clear();
    }
  }

  /** Resolves with true, false after an error, or "stopped". */
  ask(job, output) {
    const id = ++this.count;
    return new Promise((done) => {
      this.waiting.set(id, {output, done});
      this.worker.postMessage({...job, id});
    });
  }

  end() {
    this.worker.terminate();
    for (const job of this.waiting.values()) job.done("stopped");
    this.waiting.clear();
  }
}
