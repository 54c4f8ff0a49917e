// An image cut into patches: numbered row by row, the patch below is far away; with a row and a column each, it is a neighbour.
(function (scenes) {
  const {h, clamp, fixed, line, rect, text, draw, gauges, picture, unspoken, handle, rail, choice, define} = scenes;
  const ROWS = 8, MOST = 12, NARROW = 8, GOLDEN = Math.PI * (3 - Math.sqrt(5)); // rows; columns at most, and at first; evenly round the circle

  const maths = {
    speeds: (dim, base) => Array.from({length: dim / 2}, (_, i) => base ** -((2 * i) / dim)),
    // The mean of the cosines: of one number for each patch, of half the pairs by row and half by column, or of a direction for each pair
    likeness(way, [y, x], [v, u], columns, {dim, base}) {
      const turns = way === "rows" ? maths.speeds(dim, base).map((s) => ((y - v) * columns + x - u) * s)
        : way === "both" ? [y - v, x - u].flatMap((d) => maths.speeds(dim / 2, base).map((s) => d * s))
        : maths.speeds(dim, base).map((s, i) => s * ((y - v) * Math.sin(i * GOLDEN) + (x - u) * Math.cos(i * GOLDEN)));
      return turns.reduce((sum, a) => sum + Math.cos(a), 0) / turns.length;
    },
  };
  const alike = (s, key = s.key, query = s.query) => maths.likeness(s.way, query, key, s.columns, s.data);
  const beside = (s) => alike(s, [s.query[0], s.query[1] + 1]), below = (s) => alike(s, [s.query[0] + 1, s.query[1]]);
  const inside = ([y, x], columns) => [y, Math.min(x, columns - 1)];

  const start = (data) => ({data, way: "rows", columns: NARROW, query: [3, 3], key: [4, 3]});

  function layout(w) {
    const wide = w >= 560, cell = Math.floor(Math.min(wide ? 36 : 28, (w - 8) / MOST)), x = Math.round((w - MOST * cell) / 2), y = 34, end = y + ROWS * cell;
    return {w, wide, cell, x, y, end, slide: end + 62, height: end + 88, at: (column) => x + column * cell, row: (r) => y + r * cell};
  }
  function controls({s, l, t}) {
    const facts = t("similarity {v}", {v: fixed(alike(s), 2)});
    // One number for two directions: the patch in reading order; arrows go up and down by a row
    const patch = (id, name) => ({name, min: 0, max: ROWS * s.columns - 1, big: s.columns, keys: {ArrowUp: -s.columns, ArrowDown: s.columns}, value: s[id][0] * s.columns + s[id][1],
      text: `${t("row {y}, column {x}", {y: s[id][0], x: s[id][1]})}; ${facts}`,
      at: (x, y) => clamp(Math.floor((y - l.y) / l.cell), 0, ROWS - 1) * s.columns + clamp(Math.floor((x - l.x) / l.cell), 0, s.columns - 1),
      set: (v) => ({[id]: [Math.floor(Math.round(v) / s.columns), Math.round(v) % s.columns]})});
    return {
      query: patch("query", t("query")), key: patch("key", t("key")),
      columns: {name: t("columns"), min: 4, max: MOST, big: 2, value: s.columns, text: `${s.columns}; ${facts}`, at: (x) => 4 + ((x - 16) / (l.w - 32)) * (MOST - 4),
        set: (v) => ({columns: Math.round(v), query: inside(s.query, Math.round(v)), key: inside(s.key, Math.round(v))})},
    };
  }
  function questions({t, data}) {
    const first = start(data), both = {...first, way: "both"}, wider = {...first, columns: MOST}, v = (x) => fixed(x, 2);
    return [
      {choices: [["same", t("Alike, both are neighbours")], ["right", t("The one to the right")], ["below", t("The one below")]], right: "right", then: {...first, key: [3, 4]},
        ask: t("An image of 8 by 8 patches, numbered row by row like the words of a text; colour shows how alike each patch's position is to the query's. Which neighbour is the more alike: to the right, or below?"),
        answer: t("The one to the right: {a}, for its number is 1 farther. The one below is 8 farther and has {b}.", {a: v(beside(first)), b: v(below(first))})},
      {choices: [["same", t("Alike")], ["right", t("The one to the right")]], right: "same", before: first, then: both,
        ask: t("Now each patch has a row and a column: half the pairs turn by one, half by the other. And now?"),
        answer: t("Alike: {a} and {b}. The colours fall off around the query in both directions.", {a: v(beside(both)), b: v(below(both))})},
      {choices: [["yes", t("Yes")], ["no", t("No")]], right: "yes", before: first, then: wider,
        ask: t("Row by row again, and the image grows to 12 columns. The patch below the query is still the patch below: will its similarity change?"),
        answer: t("It changes, from {a} to {b}: below is now 12 numbers away. With a row and a column each, nothing would have changed.", {a: v(below(first)), b: v(below(wider))})},
    ];
  }
  const free = ({t}) => [t("Drag the query and the key over the image, change its width and the way of numbering.")];
  const jobs = (job) => ({way: job.split(":")[1]});

  function image({s, t, l, c}) {
    const {cell} = l, [qy, qx] = s.query, [ky, kx] = s.key, centre = ([y, x]) => [l.at(x) + cell / 2, l.row(y) + cell / 2];
    const cells = Array.from({length: ROWS * MOST}, (_, n) => {
      const patch = [Math.floor(n / MOST), n % MOST], there = patch[1] < s.columns, value = there ? alike(s, patch) : 0;
      return h("rect", {class: there ? (value < 0 ? "below" : "above") : "none", x: l.at(patch[1]) + 1, y: l.row(patch[0]) + 1, width: cell - 2, height: cell - 2, rx: 3, "fill-opacity": Math.abs(value)});
    });
    const grip = ([y, x]) => { const [cx, cy] = centre([y, x]); return [cx - 22, cy - 22, 44, 44]; };
    const box = (name, [y, x], letter) => [rect(name, l.at(x) + 1, l.row(y) + 1, cell - 2, cell - 2, 5), text("on", ...centre([y, x]).map((v, i) => v + 5 * i), letter)];
    return [
      unspoken(text("name start", l.x, 18, t("similarity with the key: {v}", {v: fixed(alike(s), 2)})), cells, line("between", ...centre(s.query), ...centre(s.key))),
      handle("key", c.key, grip(s.key), box("patch", s.key, "k")), handle("query", c.query, grip(s.query), box("patch", s.query, "q")),
    ];
  }
  function view(v) {
    const {s, t, l, c} = v, names = {rows: t("row by row, one number"), both: t("a row and a column"), mixed: t("all directions")};
    const label = t("An image of {r} by {c} patches, coloured by how alike each is to the query at row {y}, column {x}.", {r: ROWS, c: s.columns, y: s.query[0], x: s.query[1]});
    const edge = s.query[1] + 1 >= s.columns, foot = s.query[0] + 1 >= ROWS;
    return [picture("patches", l, label, image(v), rail("columns", c.columns, {x: 16, y: l.slide, width: l.w - 32, words: t("columns: {n}", {n: s.columns})})),
      h("p", {class: "choices", role: "group", "aria-label": t("numbering")}, Object.keys(names).map((way) => choice(`way:${way}`, names[way], s.way === way))),
      gauges([[edge ? "–" : fixed(beside(s), 2), t("similarity with the patch to the right")], [foot ? "–" : fixed(below(s), 2), t("similarity with the patch below"), null, !edge && !foot && Math.abs(beside(s) - below(s)) > 0.01]])];
  }
  define("patches", {maths, start, layout, controls, questions, free, jobs, view, eased: []});
})(globalThis.ropescenes);
