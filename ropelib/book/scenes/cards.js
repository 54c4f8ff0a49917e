// Two models' cards: the wavelengths of their pairs on one axis, and the rows in which they differ, lit.
(function (scenes) {
  const {h, TURN, fixed, grouped, one, line, rect, text, draw, gauges, picture, unspoken, rail, asking, define} = scenes;

  const maths = {
    // Logarithms of the wavelengths of a card's pairs: evenly spaced where nothing is scaled, else in hundredths
    waves: (m) => (m.even ? Array.from({length: m.wave[0]}, (_, i) => Math.log10(TURN) + i * m.wave[1]) : m.wave.map((w) => w / 100)),
    differ: (a, b, t) => { const other = rows(b, t); return rows(a, t).map(([, value], i) => value !== other[i][1]); },
  };
  const channels = (m) => (m.even ? 2 * m.wave[0] : 2 * m.wave.length);
  const turns = (m) => channels(m) > 0;
  const named = (m, t) => m.name + (m.kind === "full" ? t(", global layers") : m.kind === "sliding" ? t(", sliding layers") : m.kind === "without" ? t(", every fourth") : m.kind === "sparse" ? t(", sparse layers") : "");
  const none = "–", times = (ratio) => `×${ratio < 100 ? fixed(ratio, 1) : grouped(ratio)}`;

  function scaling(m, t) {
    if (!m.method) return none;
    const name = m.method === "linear" ? t("linear") : m.method === "proportional" ? t("in proportion") : m.method;
    return name + (m.factor ? ` ×${m.factor}` : "") + (m.exact ? t(", exact") : "");
  }
  function heat(m, t) {
    if (!m.heat) return none;
    const [value, where] = m.heat;
    return where === "position" ? t("grows") : `×${value} ${where === "cos" ? "cos, sin" : "softmax"}`;
  }
  const layout = (mixed, t) => t(mixed ? "interleaved" : "half-split");
  const rows = (m, t) => [
    [t("layout"), turns(m) ? layout(m.mixed, t) + (m.back ? t(", reversed") : "") : none],
    [t("turning"), `${channels(m)} / ${m.head}${m.from ? t(", from {n}", {n: m.from}) : ""}`],
    [t("base"), m.base ? grouped(m.base) : none],
    [t("scaling"), scaling(m, t)],
    [t("longest wave"), m.longest ? grouped(m.longest) : none],
    [t("unfinished"), turns(m) ? `${m.slow ?? 0} / ${channels(m) / 2}` : none],
    [t("context"), grouped(m.length)],
    [t("factor"), heat(m, t)],
    [t("axes"), m.axes ? `${m.axes.join("·")} ${m.order === "blocks" ? t("blocks") : m.order === "mixed" ? t("in turn") : t("h, w first")}` : none],
    [t("values"), m.values ? t("turn too") : none],
    [t("indexer"), m.indexer ? layout(m.indexer === "interleaved", t) : none],
    [t("window"), m.window ? grouped(m.window) : none],
    [t("cache, bytes"), m.cache ? grouped(m.cache) : none],
  ];

  const find = (data, name, kind) => data.models.findIndex((m) => m.name === name && (!kind || m.kind === kind));
  const pair = (data, a, b, kind) => ({a: find(data, a, kind), b: find(data, b, kind)});
  const gemma = (data) => pair(data, "Gemma 3 12B", "Gemma 4 12B", "full");
  const start = (data) => ({models: data.models, ...gemma(data)});

  const ROW = 27;
  function layoutOf(w) {
    const wide = w >= 560, axis = {x: 14, y: 84, w: w - 28}, rails = axis.y + 136, top = rails + 100, label = wide ? 150 : 94;
    return {w, wide, axis, rails, top, label, height: top + 13 * ROW + 6, col: (i) => label + (i + 0.5) * ((w - label) / 2), x: (log) => axis.x + ((log - 0.7) / 7.5) * axis.w};
  }
  function controls({s, l, t}) {
    const last = s.models.length - 1, at = (x) => ((x - 24) / (l.w - 48)) * last;
    const handle = (name, key) => ({name, min: 0, max: last, big: 5, value: s[key], at, text: named(s.models[s[key]], t), set: (v) => ({[key]: Math.round(v)})});
    return {first: handle(t("first model"), "a"), second: handle(t("second model"), "b")};
  }
  function questions({t, data}) {
    const g = gemma(data), glm = pair(data, "GLM-4 9B", "GLM-4.5"), deep = pair(data, "DeepSeek-V3", "DeepSeek-V3.2-Exp"), m = data.models;
    return [
      {choices: [["short", t("About {n}", {n: 200})], ["same", t("Millions, too")], ["none", t("Infinite")]], right: "short", before: g, then: g,
        ask: t("Gemma 3 and Gemma 4 both have base 1,000,000 in their global layers. In Gemma 3 the slowest pair takes {n} positions for a turn. And in Gemma 4?", {n: grouped(m[g.a].longest)}),
        answer: t("{n}: Gemma 4 keeps the fastest quarter of the pairs and lets the others stand still.", {n: grouped(m[g.b].longest)})},
      {choices: [["layout", t("The layout")], ["size", t("The size")], ["scale", t("The scaling")]], right: "layout", before: glm, then: glm,
        ask: t("GLM-4 and GLM-4.5 both turn 64 of 128 channels. GLM-4's queries and keys, sizes as they are, are turned by the code of GLM-4.5: no error. Besides the base, what is wrong?"),
        answer: t("The layout: GLM-4 pairs neighbours, GLM-4.5 pairs halves. No check of shapes sees it.")},
      {choices: [["all", t("Everything")], ["index", t("The indexer alone")], ["no", t("Nothing")]], right: "index", before: deep, then: deep,
        ask: t("DeepSeek-V3 and V3.2: which part of V3.2 turns otherwise than V3?"),
        answer: t("Only the indexer, which is new. It is half-split beside an interleaved attention, and engines got it wrong.")},
    ];
  }
  const free = ({t}) => [t("Choose any two. What differs between generations of one family, and what between families?")];
  const jobs = () => ({});

  function bars(m, l, up) {
    const foot = l.axis.y, edge = Math.log10(m.length), height = up ? -40 : 40, list = maths.waves(m);
    const path = (of) => of.map((w) => `M${one(l.x(w))} ${foot}v${height}`).join("");
    return [draw(up ? "one" : "two", path(list.filter((w) => w <= edge))), draw("late", path(list.filter((w) => w > edge))), draw("end", `M${one(l.x(edge))} ${foot + height * 1.15}l-5 ${up ? -8 : 8}h10Z`)];
  }
  function view(v) {
    const {s, t, l, c, still} = v, a = s.models[s.a], b = s.models[s.b], left = rows(a, t), right = rows(b, t), odd = maths.differ(a, b, t), count = odd.filter(Boolean).length;
    const hidden = Boolean(!still && asking(v)), shown = still ? " answer" : ""; // the second card is what a question asks about
    const label = hidden ? t("Card of {a}; that of {b} is covered.", {a: named(a, t), b: named(b, t)}) : t("Cards of {a} and {b}; {n} of {all} rows differ.", {a: named(a, t), b: named(b, t), n: count, all: left.length});
    return [picture("cards", l, label,
      unspoken(text("name start", 2, 16, t("wavelength of each pair")), bars(a, l, true), hidden ? null : h("g", {class: shown.trim() || null}, bars(b, l, false)), line("axis", l.axis.x, l.axis.y, l.axis.x + l.axis.w, l.axis.y),
        [["10", 1], ["1k", 3], ["100k", 5], ["10M", 7]].map(([words, log]) => text("tickname", l.x(log), l.axis.y + 74, words))),
      rail("first", c.first, {x: 24, y: l.rails, width: l.w - 48, words: named(a, t)}),
      rail("second", c.second, {x: 24, y: l.rails + 62, width: l.w - 48, words: named(b, t)}),
      left.map(([what, value], i) => {
        const y = l.top + i * ROW;
        const lit = odd[i] && !hidden, heavy = lit && !still ? " odd" : "";
        return [lit ? rect(`lit${shown}`, 0, y, l.w, ROW - 3, 5) : null, text("name start row", 6, y + 17, what), text(`row first${heavy}`, l.col(0), y + 17, value), text(`row second${heavy}${shown}`, l.col(1), y + 17, hidden ? "?" : right[i][1])];
      })),
      gauges([[`${hidden || (still && asking(v)) ? "?" : count} / ${left.length}`, t("rows that differ")], [hidden || (still && asking(v)) ? "?" : turns(a) && turns(b) ? times(Math.max(a.longest, b.longest) / Math.min(a.longest, b.longest)) : none, t("between their longest wavelengths")]])];
  }
  define("cards", {maths, start, still: () => ({}), layout: layoutOf, controls, questions, free, jobs, view, eased: []});
})(globalThis.ropescenes);
