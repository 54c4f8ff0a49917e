// The page's side of the worker: one Python, one cell at a time. Ending it is the only way to interrupt it.
export class Python {
  /** `files` is what preload gave; `home` the folder of these scripts. Resolves once Python is ready, or rejects in time. */
  static async start(home, files, patience, late) {
    const made = new Python();
    made.worker = new Worker(new URL("worker.js", home));
    made.waiting = new Map();
    made.count = 0;
    await new Promise((done, failed) => {
      const timer = setTimeout(() => failed(new Error(late)), patience * 1000);
      const end = (act, value) => { clearTimeout(timer); act(value); };
      made.begun = () => end(done);
      made.broken = (why) => end(failed, new Error(why));
      made.worker.onmessage = ({data}) => made.hear(data);
      made.worker.onerror = (event) => made.hear({kind: "failed", why: event.message || "worker.js"});
      made.worker.postMessage({kind: "start", ...files});
    }).catch((error) => { made.end(); throw error; });
    return made;
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
