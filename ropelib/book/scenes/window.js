// Decoding step by step: what a token sees through a window, what the cache must keep, and what keys turned for another length do.
(function (scenes) {
  const {h, clamp, fixed, line, rect, text, draw, gauges, picture, unspoken, handle, tag, rail, choice, define} = scenes;
  const N = 16, NARROW = 4, MANY = 5; // positions; the window and the layers that the questions try

  const maths = {
    sees: (m, n, window) => n <= m && n > m - window, // the window counts the token itself
    first: (m, window) => Math.max(0, m - window + 1),
    reach: (window, layers) => layers * (window - 1),
    // Dynamic NTK: beyond the trained length the base grows with the text
    speeds({dim, base, trained, factor}, length) {
      const alpha = (factor * Math.max(length, trained)) / trained - (factor - 1), b = base * alpha ** (dim / (dim - 2));
      return Array.from({length: dim / 2}, (_, i) => b ** -((2 * i) / dim));
    },
    turn: (x, position, speeds) => speeds.flatMap((v, i) => {
      const c = Math.cos(position * v), s = Math.sin(position * v), [a, b] = [x[i], x[i + speeds.length]];
      return [a * c - b * s, a * s + b * c];
    }),
    // Of the query at m with the key at n, each turned for a length of its own
    score(model, m, forQuery, n, forKey) {
      const q = maths.turn(model.q, m, maths.speeds(model, forQuery)), k = maths.turn(model.k, n, maths.speeds(model, forKey));
      return q.reduce((sum, value, i) => sum + value * k[i], 0);
    },
  };
  const kept = (s, n) => maths.score(s.model, s.now, s.now + 1, n, n + 1), anew = (s, n) => maths.score(s.model, s.now, s.now + 1, n, s.now + 1);
  // How far back the token being written is reached from; where its window holds the whole text, from everywhere
  const back = (s) => Math.min(s.now, maths.reach(s.window, s.layers)), whole = (s) => s.window > s.now;
  const oldest = (s) => maths.first(s.now, s.window);
  // How far each score is off that the token being written has with a kept key
  const errors = (s) => Array.from({length: N}, (_, n) => (s.grows && !s.raw && maths.sees(s.now, n, s.window) ? Math.abs(kept(s, n) - anew(s, n)) : 0));

  const start = (model) => ({model, now: 9, window: N, layers: 1, grows: false, raw: false});

  function layout(w) {
    const wide = w >= 560, left = wide ? 124 : 46, cell = Math.floor(Math.min(wide ? 24 : 18, (w - left - (wide ? 20 : 4)) / N)), x = left, y = 34, end = y + N * cell;
    const cache = end + 46, slide = cache + (wide ? 118 : 122);
    return {w, wide, cell, x, y, end, cache, slide, height: slide + 26, at: (n) => x + n * cell, row: (m) => y + m * cell};
  }
  function controls({s, l, t}) {
    const facts = t("sees {a} to {m}, the cache keeps {k}", {a: oldest(s), m: s.now, k: Math.min(s.window, s.now + 1)});
    return {
      row: {name: t("the token being written"), min: 0, max: N - 1, value: s.now, upright: true, big: 4, text: `${t("position {m}", {m: s.now})}; ${facts}`,
        at: (x, y) => (y - l.y) / l.cell - 0.5, set: (v) => ({now: Math.round(v)})},
      window: {name: t("window"), min: 1, max: N, value: s.window, big: 4, text: `${s.window}; ${facts}`, at: (x) => s.now + 1 - (x - l.x) / l.cell, set: (v) => ({window: Math.round(v)})},
      layers: {name: t("layers"), min: 1, max: 8, value: s.layers, big: 2, text: `${s.layers}; ${whole(s) ? t("sees all before it") : t("reaches {r} positions back", {r: back(s)})}`,
        at: (x) => 1 + ((x - 16) / (l.w - 32)) * 7, set: (v) => ({layers: Math.round(v)})},
    };
  }
  function questions({t, data}) {
    const first = start(data), narrow = {...first, window: NARROW}, late = {...narrow, now: N - 1}, stacked = {...late, layers: MANY}, grows = {...late, window: N, layers: 1, grows: true};
    const m = first.now, r = maths.reach(NARROW, MANY), off = errors(grows), n = off.indexOf(Math.max(...off));
    const all = [
      {choices: [["four", t("{a} to {m}", {a: m - 3, m})], ["five", t("{a} to {m}", {a: m - 4, m})], ["all", t("{a} to {m}", {a: 0, m})]], right: "four", then: narrow,
        ask: t("Rows are tokens as they are written, columns the keys each sees. Now a window of {W}, the token itself counted: which keys will the token at {m} see?", {W: NARROW, m}),
        answer: t("{a} to {m}: four, itself among them. Libraries differ here; one that does not count the token itself would show five.", {a: m - 3, m})},
      {choices: [["four", "4"], ["all", String(N)], ["grow", t("More with every layer")]], right: "four", before: narrow, then: late,
        ask: t("The text goes on to position {m}. How many keys must each layer's cache keep by then?", {m: N - 1}),
        answer: t("Four, however long the text: what has left the window is never looked at again. The new key takes the place of the oldest.")},
      {choices: [["window", String(NARROW - 1)], ["right", String(r)], ["product", String(MANY * NARROW)]], right: "right", before: late, then: stacked,
        ask: t("Each layer sees {W} tokens. Stack {L} of them: how many positions back can something still reach the last token?", {W: NARROW, L: MANY}),
        answer: t("{r}: each layer reaches {k} farther, for the token itself is counted anew each time. Position 0 reaches token {r}, through the hands of others.", {r, k: NARROW - 1})},
      {choices: [["yes", t("Right as before")], ["no", t("Off")]], right: "no", before: {...grows, grows: false}, then: grows,
        ask: t("Now frequencies that change with the length of the text (dynamic NTK), and keys kept as they were turned on arrival. Will their scores be right?"),
        answer: t("Each kept key was turned for the length when it came, the query for the length now. Red bars show how far each score is off: most with key {n}, {s} where {f} is right.", {n, s: fixed(kept(grows, n), 2), f: fixed(anew(grows, n), 2)})},
    ];
    return data.part === "keys" ? all.slice(0, 3) : data.part === "lengths" ? all.slice(3) : all;
  }
  function free({t, data}) {
    const keys = data.part === "keys";
    return [t(keys ? "Drag the row, the window's edge and the layers." : "Drag the row, the window's edge and the layers; let the frequencies change, and keep keys turned or unturned.")];
  }
  const jobs = (job) => ({[job.split(":")[0]]: job.endsWith("yes")});

  function grid({s, e, t, l, c}) {
    const {cell} = l, past = s.now - back(s), row = l.row(e.now);
    const seen = {now: "", before: "", later: "", far: ""}, box = (m, n) => `M${l.at(n) + 1} ${l.row(m) + 1}h${cell - 2}v${cell - 2}h${2 - cell}z`;
    for (let m = 0; m < N; m++) for (let n = 0; n <= m; n++) {
      if (maths.sees(m, n, s.window)) seen[m === s.now ? "now" : m < s.now ? "before" : "later"] += box(m, n);
      else if (m === s.now && n >= past) seen.far += box(m, n);
    }
    const edge = l.at(Math.max(0, e.now + 1 - e.window));
    return [
      unspoken(text("name start n", l.x, 16, t("keys →")), rect("ground", l.x, l.y, N * cell, N * cell),
        draw("later", seen.later), draw("before", seen.before), draw("far", seen.far), draw("now", seen.now),
        [0, 5, 10, 15].map((n) => text("place", l.at(n) + cell / 2, l.y - 5, n)), rect("row", l.x, row, N * cell, cell)),
      l.wide ? tag("row", c.row, {x: l.x - 62, y: row + cell / 2 - 13, width: 112, reach: -13, within: l.w, words: t("position {m}", {m: s.now})})
        : handle("row", c.row, [0, row + cell / 2 - 22, 40, 44], rect("tag", 1, row + cell / 2 - 12, 30, 24, 6), text("on", 16, row + cell / 2 + 5, s.now)),
      handle("window", c.window, [edge - (l.wide ? 5 : 4), row + cell / 2 - 22, 44, 44], rect("grasp", edge - 5, row - 5, 10, cell + 10, 4)),
    ];
  }
  function cache({s, t, l, c}) {
    const {cell} = l, y = l.cache, from = oldest(s), held = (n) => n >= from && n <= s.now, off = errors(s), most = Math.max(0.05, ...off);
    return [
      unspoken(text("name start", l.wide ? 4 : l.x, l.wide ? y + cell / 2 + 5 : y - 8, t("kept keys")),
        Array.from({length: N}, (_, n) => h("g", {class: held(n) ? `kept${off[n] > 1e-9 ? " off" : ""}` : n <= s.now ? "gone" : "none"},
          rect("slot", l.at(n) + 1, y, cell - 2, cell, 3),
          held(n) ? text("length", l.at(n) + cell / 2, y + cell / 2 + 4, s.raw ? "·" : s.grows ? n + 1 : n) : null,
          rect("bar", l.at(n) + 3, y + cell + 6, cell - 6, off[n] ? Math.max(2, (off[n] / most) * 26) : 0))),
        text("small start", l.x, y + cell + 50, s.raw ? t("kept unturned: turned anew at every step") : s.grows ? t("each number: the length the key was turned for") : t("each number: the position the key was turned for"))),
      rail("layers", c.layers, {x: 16, y: l.slide, width: l.w - 32, words: whole(s) ? t("layers: {n}, seeing all before it", {n: s.layers}) : t("layers: {n}, together they reach {r} back", {n: s.layers, r: back(s)})}),
    ];
  }
  function view(v) {
    const {s, t, l} = v, k = Math.min(s.window, s.now + 1), a = oldest(s), off = Math.max(...errors(s));
    const label = t("A grid of {N} tokens by {N} keys; the token at {m} sees {a} to {m}; below, the {k} keys that the cache keeps.", {N, m: s.now, a, k});
    const turning = v.data.part !== "keys"; // frequencies that change are no matter yet where only keys are asked for
    return [picture("window", l, label, grid(v), cache(v)),
      ...[["grows", t("frequencies"), t("fixed"), t("by length")], ["raw", t("kept keys"), t("turned"), t("unturned")]].map(([name, words, no, yes]) => (turning
        ? h("p", {class: "choices", role: "group", "aria-label": words}, h("b", {}, words), choice(`${name}:no`, no, !s[name]), choice(`${name}:yes`, yes, s[name])) : null)),
      gauges([[`${k} / ${s.now + 1}`, t("keys kept, of all so far")],
        ...(turning ? [[fixed(off, 2), t("the largest error of its scores"), null, off > 5e-3]] : [])])];
  }
  define("window", {maths, start, still: ({part}) => ({now: N - 1, ...(part === "lengths" ? {grows: true} : {window: NARROW, layers: MANY})}), layout, controls, questions, free, jobs, view, eased: ["now", "window"]});
})(globalThis.ropescenes);
