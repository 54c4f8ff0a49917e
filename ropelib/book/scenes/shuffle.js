// Five words in any order: without a mask each word's output goes with it; with one, some words meet other company.
(function (scenes) {
  const {h, fixed, rect, text, draw, picture, unspoken, tag, button, choice, define} = scenes;

  // `slots[i]` is where word i stands, `order[p]` which word stands at p
  const maths = {
    order: (slots) => slots.map((_, p) => slots.indexOf(p)),
    // How much each word looks at each, by words: with the mask only at itself and at those before it
    weights(scores, slots, mask) {
      return scores.map((row, i) => {
        const seen = row.map((s, j) => (mask && slots[j] > slots[i] ? -Infinity : s)), top = Math.max(...seen);
        const e = seen.map((s) => Math.exp(s - top)), sum = e.reduce((a, b) => a + b);
        return e.map((x) => x / sum);
      });
    },
    outputs: (weights, values) => weights.map((row) => values[0].map((_, c) => row.reduce((sum, w, j) => sum + w * values[j][c], 0))),
    move(slots, word, to) {
      const order = maths.order(slots).filter((i) => i !== word);
      order.splice(to, 0, word);
      return slots.map((_, i) => order.indexOf(i));
    },
  };
  const outputs = (s, slots = s.slots) => maths.outputs(maths.weights(s.scores, slots, s.mask), s.values);
  const written = (s) => s.slots.map((_, i) => i);
  const changes = (s) => {
    const before = outputs(s, written(s));
    return outputs(s).map((row, i) => Math.max(...row.map((x, c) => Math.abs(x - before[i][c]))));
  };
  const moved = (s) => s.slots.some((p, i) => p !== i); // before that, what stays is for the reader to guess
  const swapped = (s) => s.slots.map((_, i) => [2, 1, 0][i] ?? i);

  const start = ({scores, values, names}) => ({scores, values, slots: names.map((_, i) => i), mask: false});

  function layout(w) {
    const wide = w >= 560, label = wide ? 96 : 66, cell = wide ? 52 : 32, x = label + (wide ? 18 : 10), strip = x + 5 * cell + (wide ? 30 : 10);
    return {w, wide, label, cell, x, y: 52, row: 46, strip, bit: (w - strip - 6) / 16, height: 52 + 5 * 46 + 8};
  }

  function controls({s, l, t, data}) {
    const d = changes(s);
    return Object.fromEntries(data.names.map((word, i) => [`word${i}`, {name: word, min: 0, max: 4, value: s.slots[i], upright: true, big: 2,
      text: t("position {m}", {m: s.slots[i]}) + (moved(s) ? `; ${d[i] < 1e-9 ? t("output the same") : t("output changed by {d}", {d: fixed(d[i], 2)})}` : ""),
      at: (x, y) => (y - l.y) / l.row - 0.5, set: (v) => ({slots: maths.move(s.slots, i, Math.round(v))})}]));
  }

  function questions({t, data}) {
    const first = start(data), [dog, verb, man] = data.names, masked = {...first, mask: true};
    return [
      {choices: [["other", t("It becomes another")], ["follows", t("The same, in its new row")], ["stays", t("The rows keep theirs")]], right: "follows", then: {slots: swapped(first)},
        ask: t("Each row is a word that looks at all five; on the right its output. “{dog}” and “{man}” are about to change places. What becomes of the outputs?", {dog, man}),
        answer: t("Each output went along with its word, unchanged to the last digit. “{verb}” cannot tell who did it to whom.", {verb})},
      {choices: [["none", t("None")], ["three", t("Three")], ["all", t("All five")]], right: "three", before: masked, then: {slots: swapped(first), mask: true},
        ask: t("Now a causal mask: each word sees only itself and those before it. “{dog}” and “{man}” change places again. How many outputs change?", {dog, man}),
        answer: t("Three. The first three words meet other company now. The last two see the same words as before, and not in which order.")},
    ];
  }
  const free = ({t}) => [t("Drag the words up and down, with the mask and without. When does the order change a word's output?"), button("mix", t("Shuffle"))];
  const MIXED = [[2, 4, 0, 3, 1], [4, 0, 3, 1, 2], [1, 3, 4, 2, 0], [3, 2, 1, 0, 4]];
  function jobs(job, s) {
    if (job === "mask") return {mask: !s.mask};
    return {slots: MIXED[(MIXED.findIndex((order) => order.join() === s.slots.join()) + 1) % MIXED.length]};
  }

  function rows({s, e, t, l, c, data}) {
    const weights = maths.weights(s.scores, s.slots, s.mask), out = outputs(s), d = changes(s), top = Math.max(...s.values.flat().map(Math.abs)) * 0.45;
    const y = (i) => l.y + e.slots[i] * l.row, x = (j) => l.x + e.slots[j] * l.cell, high = 26;
    return [
      unspoken(
        text("name start q", 2, 20, t("query")), text("name k", l.x + 2.5 * l.cell, 20, t("keys")), text("name out start", l.strip, 20, t("output")),
        data.names.map((word, j) => text("small k", x(j) + l.cell / 2, l.y - 8, word)),
        weights.map((row, i) => h("g", {}, row.map((w, j) => h("g", {class: s.mask && s.slots[j] > s.slots[i] ? "hidden" : "seen"},
          rect("ground", x(j) + 1.5, y(i) + 4, l.cell - 3, high, 4),
          h("rect", {class: "weight", x: x(j) + 1.5, y: y(i) + 4, width: l.cell - 3, height: high, rx: 4, "fill-opacity": w}),
          s.mask && s.slots[j] > s.slots[i] ? draw("cross", `M${x(j) + l.cell / 2 - 4} ${y(i) + 13}l8 8m0 -8l-8 8`) : l.wide ? text(w > 0.55 ? "small over" : "small", x(j) + l.cell / 2, y(i) + 21.5, fixed(w, 2)) : null)))),
        out.map((row, i) => h("g", {class: d[i] < 1e-9 ? "same" : "changed"},
          row.map((value, k) => h("rect", {class: value < 0 ? "below" : "above", x: l.strip + k * l.bit, y: y(i) + 4, width: l.bit - 0.5, height: 18, "fill-opacity": Math.min(1, Math.abs(value) / top)})),
          rect("box", l.strip, y(i) + 4, 16 * l.bit, 18, 2),
          moved(s) ? text("small start", l.strip, y(i) + 36, d[i] < 1e-9 ? t("the same") : t("change {d}", {d: fixed(d[i], 2)})) : null))),
      data.names.map((word, i) => tag(`word${i}`, c[`word${i}`], {x: l.label / 2, y: y(i) + 4, width: l.label - 4, reach: -13, within: l.w, words: `↕ ${word}`})),
    ];
  }
  function view(v) {
    const {s, t, l, data} = v, order = maths.order(s.slots).map((i) => data.names[i]).join(", ");
    const label = t("Five words, one a row, in the order {order}; how much each looks at each, and the output of each.", {order});
    return [picture("shuffle", l, label, rows(v)), h("p", {class: "choices"}, choice("mask", t("causal mask"), s.mask))];
  }
  define("shuffle", {maths, start, still: (data, s) => ({mask: true, slots: swapped(s)}), layout, controls, questions, free, jobs, view, eased: ["slots"]});
})(globalThis.ropescenes);
