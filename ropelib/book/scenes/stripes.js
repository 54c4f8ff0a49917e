// Scores of every query with every key: which way the stripes run, and what stands still when the sentence moves.
(function (scenes) {
  const {h, clamp, fixed, rect, text, draw, gauges, picture, unspoken, handle, choice, define} = scenes;
  const PLACES = 24, WORDS = 10, LEVELS = 6; // positions of the map; words of the sentence; shades to each side of zero

  const maths = {
    // A vector with its position put in: turned, turned the other way, added to, or left as it is
    place(how, [x, y], p, theta) {
      const a = p * theta * (how === "back" ? -1 : 1), c = Math.cos(a), s = Math.sin(a);
      return how === "added" ? [x + c, y + s] : how === "none" ? [x, y] : [x * c - y * s, x * s + y * c];
    },
    score(q, k, hows, m, n, theta) {
      const [a, b] = maths.place(hows[0], q, m, theta), [c, d] = maths.place(hows[1], k, n, theta);
      return a * c + b * d;
    },
  };
  const score = (s, m, n) => maths.score(s.q, s.k, [s.query, s.key], m, n, s.theta);
  const all = (count, value) => Array.from({length: count}, (_, m) => Array.from({length: count}, (_, n) => value(m, n)));
  const largest = (table) => Math.max(...table.flat().map(Math.abs));
  const moved = (s) => largest(all(WORDS, (m, n) => score(s, m + s.shift, n + s.shift) - score(s, m, n)));
  const apart = (s) => largest(all(WORDS, (m, n) => score(s, m + 5, n) - score(s, m, n)));

  const start = ({q, k, theta, ask}) => ({q, k, theta, query: ask === "key" ? "turned" : "none", key: "none", shift: 0}); // "key" asks first what turning the query alone does

  function layout(w) {
    const wide = w >= 560, cell = wide ? clamp(Math.floor((w - 60) / 41), 10, 14) : Math.floor((w - 56) / 34), big = wide ? Math.floor(cell * 1.7) : cell;
    const x = 24, y = 28, map = PLACES * cell, gap = wide ? 56 : 30, view = {x: x + map + gap, y: y + (wide ? 30 : 0), size: WORDS * big};
    return {w, wide, cell, big, x, y, map, view, height: y + map + 34, top: wide ? 4 : 4};
  }

  function controls({s, l, t}) {
    const last = PLACES - WORDS;
    return {sentence: {name: t("the sentence"), min: 0, max: last, value: s.shift, big: 5, text: t("words at {a} to {b}; the scores changed by {d}", {a: s.shift, b: s.shift + WORDS - 1, d: fixed(moved(s), 2)}),
      at: (x, y) => ((x - l.x + y - l.y) / 2 / l.cell) - WORDS / 2, set: (v) => ({shift: Math.round(v)})}};
  }

  const PATTERNS = {diagonal: [1, -1], across: [1, 0], against: [1, 1], none: [0, 0]};
  function thumb(name) {
    const [a, b] = PATTERNS[name], cells = all(6, (m, n) => (Math.cos(a * m * 1.05 + b * n * 1.05) > 0 ? `M${n * 5} ${m * 5}h5v5h-5z` : "")).flat().join("");
    return h("svg", {class: "thumb", viewBox: "0 0 30 30", width: 30, height: 30, "aria-hidden": "true"}, rect("ground", 0, 0, 30, 30), draw("cells", cells));
  }
  function questions({t, data}) {
    const first = start(data), after = (query, key) => ({...first, query, key, shift: 9}), d = (s) => fixed(moved(s), 2);
    const choices = [["diagonal", t("down the diagonal")], ["across", t("level")], ["against", t("up the diagonal")], ["none", t("no stripes")]]
      .map(([id, words]) => [id, [thumb(id), words]]);
    const [both, one, opposite] = [after("turned", "turned"), after("turned", "none"), after("turned", "back")];
    const opposed = (before) => ({choices, right: "against", before, then: opposite,
      ask: t("A slip that raises no error: the key is turned the other way round. What does the map look like now?"),
      answer: t("Stripes up the diagonal: the score sees the sum of the positions, not their difference. Moved, it changes by up to {d}.", {d: d(opposite)})});
    const level = t("Level stripes: the score sees where the query is and nothing of the key. Moved as a whole, the same sentence changes its scores by up to {d}.", {d: d(one)});
    if (data.ask === "key") return [
      {choices: [["still", t("It stands still")], ["moves", t("It changes")]], right: "moves", before: {...one, shift: 0}, then: one,
        ask: t("The article calls turning the key optional. Here the query alone is turned: when the sentence moves nine positions, will its own picture on the right stand still?"), answer: level},
      opposed({...both, shift: 0}),
    ];
    return [
      {choices, right: "diagonal", then: both,
        ask: t("Each row is a query, each column a key, each cell their score. Nothing is turned yet. Turn both, each by its own position: what will the map look like?"),
        answer: t("Stripes down the diagonal: one colour for each distance. The sentence moved nine positions, and its own picture, on the right, stood still.")},
      {choices, right: "across", before: {...both, shift: 0}, then: one,
        ask: t("Some texts call it optional to turn the key. Turn the query only: what now?"),
        answer: level},
      opposed({...both, shift: 0}),
    ];
  }
  const NAMES = ["none", "turned", "back", "added"];
  const free = ({t}) => [t("Set query and key as you like, and drag the square down the diagonal. Which ways stand still? And which of those see the distance at all?")];
  const jobs = (job) => { const [side, how] = job.split(":"); return {[side]: how}; };

  // Cells of one shade are one path
  function shades(value, count, x, y, size, top) {
    const paths = {};
    all(count, value).forEach((row, m) => {
      let n = 0;
      while (n < count) {
        const level = Math.round((clamp(row[n], -top, top) / top) * LEVELS), from = n;
        while (n < count && Math.round((clamp(row[n], -top, top) / top) * LEVELS) === level) n++;
        paths[level] = `${paths[level] ?? ""}M${x + from * size} ${y + m * size}h${(n - from) * size}v${size}h${(from - n) * size}z`;
      }
    });
    return Array.from({length: 2 * LEVELS + 1}, (_, i) => i - LEVELS).map((level) =>
      draw(level < 0 ? "below" : "above", paths[level] ?? "", {"fill-opacity": Math.abs(level) / LEVELS}));
  }

  function maps({s, e, t, l, c, data}) {
    const top = Math.hypot(...data.q) * Math.hypot(...data.k), {view} = l, w = WORDS * l.cell, at = l.cell * e.shift, d = moved(s), mid = view.x + view.size / 2;
    const axes = (x, y, size) => [text("name start n", x, y - 8, "n →"), text("name end m", x - 6, y + 14, "m"), text("name end m", x - 7, y + 30, "↓"), rect("frame", x, y, size, size)];
    return [
      unspoken(
        shades((m, n) => score(s, m, n), PLACES, l.x, l.y, l.cell, top), axes(l.x, l.y, l.map),
        shades((m, n) => score(s, m + e.shift, n + e.shift), WORDS, view.x, view.y, l.big, top), axes(view.x, view.y, view.size),
        text("name", mid, view.y + view.size + 20, l.wide ? t("the sentence alone") : t("the sentence")),
        text(`verdict ${s.shift === 0 ? "" : d < 1e-9 ? "still" : "moves"}`, Math.min(mid, l.w - 56), view.y + view.size + 42, s.shift === 0 ? t("not moved yet") : d < 1e-9 ? t("stands still") : t("changes by {d}", {d: fixed(d, 2)})),
        text("name start", l.x, l.y + l.map + 22, t("positions 0 to {last}, the sentence in the square", {last: PLACES - 1}))),
      handle("sentence", c.sentence, [l.x + at, l.y + at, w, w], rect("window", l.x + at, l.y + at, w, w, 3),
        draw("arrows", `M${l.x + at + w - 16} ${l.y + at + w - 6}h10v-10M${l.x + at + 6} ${l.y + at + 16}v-10h10`)),
    ];
  }
  function ways({s, t}) {
    const names = {none: t("not turned"), turned: t("turned"), back: t("turned back"), added: t("added to")};
    return h("div", {class: "ways"}, [["query", t("query")], ["key", t("key")]].map(([side, words]) =>
      h("p", {class: `choices ${side}`, role: "group", "aria-label": words}, h("b", {}, words), NAMES.map((how) => choice(`${side}:${how}`, names[how], s[side] === how)))));
  }
  function legend({t, l, data}) {
    const top = fixed(Math.hypot(...data.q) * Math.hypot(...data.k), 0);
    return h("p", {class: "legend"}, h("span", {class: "bar", "aria-hidden": "true"}), ` ${t("score from −{top}, violet, to {top}, green", {top})}`);
  }
  function view(v) {
    const {s, t, l} = v, label = t("A map of {N} by {N} scores, rows queries, columns keys, with a square of {W} words on its diagonal; beside it the square alone.", {N: PLACES, W: WORDS});
    const d = moved({...s, shift: s.shift || 9}), a = apart(s);
    const shown = (value) => (v.data.ask === "key" && s.step === 0 ? "—" : fixed(value, 2)); // the first reading is what its first question asks
    return [picture("stripes", l, label, maps(v)), legend(v), ways(v), gauges([
      [shown(d), t("a score changes by at most, when the sentence moves"), null, d > 1e-9 && shown(d) !== "—"],
      [fixed(a, 2), t("a score changes by at most, when the query alone moves by 5"), null, a < 1e-9]])];
  }
  define("stripes", {maths, start, still: ({ask}) => ({query: "turned", key: ask === "key" ? "none" : "turned", shift: 9}), layout, controls, questions, free, jobs, view, eased: ["shift"]});
})(globalThis.ropescenes);
