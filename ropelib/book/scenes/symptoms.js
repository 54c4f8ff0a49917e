// Fourteen faults, a row each: red from where scores go wrong. Where trouble was first seen, and while doing what, leaves few of them.
(function (scenes) {
  const {h, clamp, grouped, line, text, draw, rect, picture, unspoken, tag, choice, define} = scenes;
  const STEPS = 57, PAIRS = 32, HEAD = 64, SEEN = 0.25, PROMPT = 32, LAST = 4095, CHUNK = 512, WIDE = 32, LEVELS = [SEEN, 0.5, 0.8, 1.1];
  const READ = ["layout", "backwards", "base", "part", "scaling", "bfloat16", "float16", "table", "chunks"], LATE = ["base", "scaling"], WRITE = ["zero", "twice", "stale"], LOOK = ["blocks", "swapped"];
  const FAULTS = [...READ, ...WRITE, ...LOOK], WHILE = {read: READ, write: WRITE, look: LOOK};

  const pairs = Array.from({length: PAIRS}, (_, i) => i), mean = (list) => list.reduce((sum, v) => sum + v, 0) / list.length;
  const grown = (length) => pairs.map((i) => (1e4 * Math.max(1, (4 * length) / 2048 - 3) ** (HEAD / (HEAD - 2))) ** (-i / PAIRS));
  const turns = pairs.map((i) => (i < 30 ? i % 3 : 0)), blocks = pairs.map((i) => (i < 12 ? 0 : i < 22 ? 1 : 2)), swap = [0, 2, 1];
  const maths = {
    position: (step) => Math.floor(2 ** (step / 4) + 0.5),
    // A whole number in so many significant bits, half to even
    rounded(p, bits) {
      const step = 2 ** Math.max(0, Math.floor(Math.log2(Math.max(p, 1))) + 1 - bits), low = Math.floor(p / step), rest = p / step - low;
      return (rest > 0.5 || (rest === 0.5 && low % 2) ? low + 1 : low) * step;
    },
    // From what each pair is off by, where the pairs are right
    off: (angles) => Math.sqrt(2 * mean(angles.map((a) => 1 - Math.cos(a)))),
    // From the angle of each channel, right and wrong, where the pairs are strangers to each other
    apart: (right, wrong) => Math.sqrt(2 - 2 * mean(right.map((a, j) => Math.cos(a) * Math.cos(wrong[j])))),
    error(fault, p, {own, other, part, slow}) {
      const n = Math.floor(p / 2), r = p - n, {off, apart, rounded} = maths, channels = Array.from({length: HEAD}, (_, j) => j);
      const moved = (at) => off(own.map((v) => (at(p) - at(n) - r) * v)), image = (axes) => off(pairs.map((i) => {
        const d = [0, Math.floor(p / WIDE) - Math.floor(n / WIDE), (p % WIDE) - (n % WIDE)];
        return (d[axes[i]] - d[turns[i]]) * own[i];
      }));
      return {
        layout: () => apart(channels.map((j) => r * own[j >> 1]), channels.map((j) => r * own[j % PAIRS])),
        backwards: () => off(own.map((v) => 2 * r * v)),
        base: () => off(own.map((v, i) => r * (other[i] - v))),
        part: () => apart(channels.map((j) => (j < PAIRS ? r * part[j % (PAIRS / 2)] : 0)), channels.map((j) => r * own[j % PAIRS])),
        scaling: () => off(own.map((v, i) => r * (v - slow[i]))),
        bfloat16: () => moved((i) => rounded(i, 8)),
        float16: () => moved((i) => rounded(i, 11)),
        table: () => moved((i) => Math.min(i, LAST)),
        chunks: () => moved((i) => i % CHUNK),
        zero: () => moved((i) => (i < PROMPT ? i : 0)),
        twice: () => moved((i) => (i < PROMPT ? i : i + PROMPT)),
        stale: () => { const now = grown(p + 1), then = grown(n + 1); return off(pairs.map((i) => n * (now[i] - then[i]))); },
        blocks: () => image(blocks),
        swapped: () => image(turns.map((a) => swap[a])),
      }[fault]();
    },
    around: (fault, p, speeds) => Math.max(maths.error(fault, p, speeds), maths.error(fault, p + 1, speeds)),
    strip: (fault, speeds) => Array.from({length: STEPS}, (_, k) => maths.around(fault, maths.position(k), speeds)),
    first: (strip) => strip.findIndex((e) => e > SEEN),
    // Faults that begin neither after what was seen nor so long before that it would have been seen, nearest first. LATE are those
    // under which words are still words: scores are off long before anybody sees it
    fits: (rows, busy, step) => WHILE[busy].filter((f) => rows[f].first <= step + 1 && (rows[f].first >= step - 9 || LATE.includes(f)))
      .sort((a, b) => Math.abs(step - rows[a].first) - Math.abs(step - rows[b].first)),
  };

  const kept = new WeakMap(); // strips are costly, and nothing that moves changes them
  const start = (data) => {
    if (!kept.has(data)) kept.set(data, Object.fromEntries(FAULTS.map((f) => [f, maths.strip(f, data)]).map(([f, strip]) => [f, {strip, first: maths.first(strip)}])));
    return {rows: kept.get(data), mark: 4, busy: "read"};
  };
  const names = (t) => ({
    layout: t("other layout"), backwards: t("turned backwards"), base: t("another base"), part: t("a part, turned whole"), scaling: t("scaling not read"),
    bfloat16: t("bfloat16 positions"), float16: t("float16 positions"), table: t("table ends at 4,096"), chunks: t("chunks of 512 at 0"), zero: t("new tokens at 0"), twice: t("prompt counted twice"),
    stale: t("keys out of date"), blocks: t("axes in blocks"), swapped: t("rows for columns")});
  const next = (t) => ({
    layout: t("light channel 0 at row 1, and see which channel lights up with it"), backwards: t("light channel 0 at row 1, and see the sign of its partner"),
    base: t("read the angle of pair 1 at row 1"), part: t("see whether the last channels move at row 1"), scaling: t("compare the slow pairs, and what the settings call their scaling"),
    bfloat16: t("compare rows 256 and 257: are they turned alike?"), float16: t("compare rows 2,048 and 2,049: are they turned alike?"),
    table: t("compare rows 4,095 and 4,096: are they turned alike?"), chunks: t("compare rows 0 and 512: are they turned alike?"), zero: t("print the position of the first token written"), twice: t("print the position of the first token written"),
    stale: t("compare a full run with the cache, row by row"), blocks: t("give one patch three different positions, and see which pairs follow which"), swapped: t("step one patch to the right: which pairs turn?")});

  function layout(w) {
    const wide = w >= 560, left = wide ? 168 : 132, row = 23, top = 64, y = {};
    FAULTS.forEach((f, i) => { y[f] = top + i * row + (i >= 9) * 22 + (i >= 12) * 22; });
    const end = y.swapped + row;
    return {w, wide, left, row, top, y, end, height: end + 24, x: (k) => left + (k / (STEPS - 1)) * (w - left - 10), k: (x) => ((x - left) / (w - left - 10)) * (STEPS - 1)};
  }
  const controls = ({s, l, t}) => ({
    mark: {name: t("where it first went wrong"), min: 0, max: STEPS - 1, big: 8, value: s.mark, at: l.k, set: (v) => ({mark: clamp(Math.round(v), 0, STEPS - 1)}),
      text: t("position {p}; {n} suspects are left", {p: grouped(maths.position(s.mark)), n: maths.fits(s.rows, s.busy, s.mark).length})}});

  function questions({t, data}) {
    const {rows} = start(data), at = (f) => grouped(maths.position(rows[f].first));
    return [
      {choices: [["layout", t("Another layout")], ["bfloat16", t("bfloat16 positions")], ["table", t("A table that ends")]], right: "table", then: {mark: rows.table.first, busy: "read"},
        ask: t("A model reads well for 4,096 tokens, and from there on it is broken. Which suspect fits?"),
        answer: t("The table. Another layout shows at position {a}, bfloat16 positions from about {b} on: both would have been seen long before. Second comes float16, from {c} on; whether positions 2,048 and 2,049 are turned alike decides. Where it begins says more than how bad it is.", {a: at("layout"), b: at("bfloat16"), c: at("float16")})},
      {choices: [["weights", t("Layout and weights")], ["place", t("The new token's position")], ["base", t("The base")]], right: "place", then: {mark: rows.zero.first, busy: "write"},
        ask: t("Another model reads a prompt of 32 tokens without fault, and the first token it writes is off. Where do you look?"),
        answer: t("At its position. Layout, weights and base were at work while it read, too, and would have shown. Print one number: 0, 64, or 32 as it should be.")},
    ];
  }
  const free = ({t}) => [t("Your own case: drag the mark to where it first went wrong, and say what the model was doing. Nobody left? Then look a little further to the left.")];
  const jobs = (job) => ({busy: job});

  function strips({s, l, t}) {
    const fits = maths.fits(s.rows, s.busy, s.mark), own = names(t), half = (l.x(1) - l.x(0)) / 2;
    const group = (f, words) => text("group start", 2, l.y[f] - 5, words);
    const rows = FAULTS.map((f) => {
      const y = l.y[f] + l.row / 2, rank = fits.indexOf(f), strip = s.rows[f].strip, levels = LEVELS.map((low, i) => {
        const high = LEVELS[i + 1] ?? 9;
        return draw(`bad level${i}`, strip.map((e, k) => (e > low && e <= high ? `M${(l.x(k) - half).toFixed(1)} ${y}h${(2 * half + 0.2).toFixed(1)}` : "")).join("") || "M0 0");
      });
      return h("g", {class: `fault ${rank < 0 ? "out" : "in"}`}, rect("lane", l.x(0) - half, y - 8, l.x(STEPS - 1) - l.x(0) + 2 * half, 16, 3), levels,
        text("who start", 18, y + 4, own[f]), rank < 0 ? null : text("rank start", 2, y + 4, rank + 1));
    });
    return unspoken([1, 16, 256, 4096].map((p) => { const x = l.x(4 * Math.log2(p)); return [line("axis", x, l.top, x, l.end), text("tickname", x, l.end + 18, grouped(p))]; }),
      group("layout", t("already while reading")), group("zero", t("only while writing")), group("blocks", t("only on images")), rows);
  }
  function view(v) {
    const {s, e, t, l, c} = v, fits = maths.fits(s.rows, s.busy, s.mark), own = names(t), ask = next(t), x = l.x(e.mark), here = grouped(maths.position(s.mark));
    const label = t("Fourteen faults, a row each, red where scores are wrong. First seen at position {p}: {n} suspects fit.", {p: here, n: fits.length});
    const doing = {read: t("already while reading"), write: t("only while writing"), look: t("only on images")};
    return [
      picture("symptoms", l, label, strips(v), unspoken(line("mark", x, 40, x, l.end)),
        tag("mark", c.mark, {x, y: 6, up: false, width: 118, reach: 6, within: l.w, words: t("first at {p}", {p: here})})),
      h("p", {class: "choices", role: "group", "aria-label": t("it goes wrong")}, h("b", {}, t("it goes wrong")), Object.entries(doing).map(([id, words]) => choice(id, words, s.busy === id))),
      h("ol", {class: "suspects", "aria-live": "polite"}, fits.length ? fits.slice(0, 4).map((f) => h("li", {}, h("b", {}, own[f]), t(": "), ask[f])) : h("li", {class: "none"}, t("no suspect of this list")))];
  }
  define("symptoms", {maths, start, still: (data, {rows}) => ({mark: rows.table.first}), layout, controls, questions, free, jobs, view, eased: ["mark"]});
})(globalThis.ropescenes);
