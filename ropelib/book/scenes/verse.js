// A poem written under rulers: a verse ends where the fastest pairs have turned as after five characters, or seven.
(function (scenes) {
  const {h, clamp, grouped, line, rect, text, gauges, picture, unspoken, tag, rail, choice, define} = scenes;
  const COLUMNS = 16, RULED = ["linear", "ntk", "yarn"], MARKS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];

  const maths = {
    // Rows of a poem: [characters, its stop, whether the poem ends here]; the last may be unfinished
    verses: (poem) => [...poem.matchAll(/([^，。\n]*)([，。\n]?)(\n?)/g)].filter((m) => m[0]).map(([, words, stop, end]) => [[...words], stop.trim(), Boolean(end) || stop === "\n"]),
    // A verse that is too long for one row goes on in the next: [characters, first column of the verse, stop, end]
    rows: (poem) => maths.verses(poem).flatMap(([words, stop, end]) => Array.from({length: Math.max(1, Math.ceil(words.length / COLUMNS))}, (_, i, last = (i + 1) * COLUMNS >= words.length) =>
      [words.slice(i * COLUMNS, (i + 1) * COLUMNS), words.length, last ? stop : "", last && end])),
    total: (counts) => counts.reduce((a, b) => a + b, 0),
    most: (counts) => counts.reduce((best, c, n) => (n > 2 && c > counts[best] ? n : best), 2), // a stray character is no verse
  };
  const at = (s) => (RULED.includes(s.how) ? s.data.factors.indexOf(s.f) : 0);
  const counts = (s) => s.data.counts[s.how][at(s)], poem = (s) => s.data.texts[s.how][at(s)];
  const inMetre = (s) => s.data.metre.reduce((sum, n) => sum + counts(s)[n], 0);

  const start = (data) => ({data, how: "linear", f: 1, m: 0}); // divided by 1: as it was trained

  function layout(w, data) {
    const wide = w >= 560, cell = Math.floor(Math.min(30, (w - 14) / COLUMNS)), x = Math.round((w - COLUMNS * cell) / 2), bars = 72, foot = 28 + bars;
    const most = Math.max(...Object.values(data.texts).flat().map((p) => maths.rows(p).length)), fast = foot + 70, slow = fast + 58, first = slow + 76, row = 27, slide = first + most * row + 50;
    return {w, wide, cell, x, bars, foot, fast, slow, first, row, slide, height: slide + 26, col: (n) => x + n * cell, n: (px) => (px - x) / cell};
  }
  function controls({s, l, t}) {
    const {factors, starts} = s.data, end = factors.length - 1, facts = t("the commonest verse has {k} characters", {k: maths.most(counts(s))});
    const nearest = (v) => factors.reduce((best, f) => (Math.abs(f - v) < Math.abs(best - v) ? f : best));
    return {
      factor: {name: t("divided by"), min: 1, max: factors[end], step: factors[1] - 1, big: 2, value: s.f, text: `${s.f}; ${facts}`, at: (x) => l.n(x) / s.data.metre[0],
        set: (v) => ({f: nearest(v), how: RULED.includes(s.how) ? s.how : "linear"})},
      start: {name: t("counting starts at"), min: 0, max: starts.length - 1, big: 3, value: s.m, text: `${grouped(starts[s.m])}; ${facts}`, at: (x) => ((x - 16) / (l.w - 32)) * (starts.length - 1),
        set: (v) => ({m: Math.round(v)})},
    };
  }
  function questions({t, data}) {
    const first = start(data), by = data.factors[data.asked], as = (how, f = by) => ({...first, how, f}), m = grouped(data.starts[data.moved]);
    const lengths = [["half", t("Half as long")], ["same", t("As before")], ["twice", t("Twice as long")]], whole = (s) => maths.total(counts(s));
    return [
      {choices: [["same", t("The same poem")], ["other", t("Another poem in metre")], ["none", t("No verses any more")]], right: "same", then: {...first, m: data.moved},
        ask: t("A small model has read Tang poems, in verses of five or seven characters, and writes such verses. Now its positions are counted from {m} on. What does it write, with the same luck?", {m}),
        answer: t("The same poem, to the last character. How far back the last stop stands is all that it needs, and that has not changed.")},
      {choices: lengths, right: "twice", before: first, then: as("linear"),
        ask: t("Next, linear interpolation: every frequency is divided by {n}, as if to read {n} times as far. How long are its verses?", {n: by}),
        answer: t("Twice as long: {k} of {all} have nine or ten characters. A stop is due when the last one looks five places back; ten back now looks so, and nine nearly.", {k: counts(as("linear"))[9] + counts(as("linear"))[10], all: whole(as("linear"))})},
      {choices: lengths, right: "same", then: as("ntk"),
        ask: t("NTK-aware scaling by {n} divides the slowest pair by {n} as well, but the fastest by 1. And now?", {n: by}),
        answer: t("As before: {k} of {all} verses have five or seven characters. The two fastest pairs count them, and those hardly slow down.", {k: inMetre(as("ntk")), all: whole(as("ntk"))})},
      {choices: [["metre", t("Other words, in metre")], ["some", t("Characters, hardly a stop")]], right: "some", before: first, then: as("layout", 1),
        ask: t("Last, nothing is divided, but the channels are paired in the wrong layout. The weights are the same. What will it write?"),
        answer: t("Characters, and often good neighbours, but {k} stops in {n} poems where {all} were due: it cannot tell how far back the last one stands.", {k: whole(as("layout", 1)), n: data.poems, all: whole(first)})},
    ];
  }
  const free = ({t}) => [t("Choose a method and drag the slow pair's five. Which of the two rulers do the verses follow? And what does another start change?")];
  const jobs = (job, s) => ({how: job.split(":")[1], f: RULED.includes(job.split(":")[1]) ? s.f : 1});

  function ruler({l}, y, times, words, guide) {
    const right = l.col(COLUMNS);
    return h("g", {class: times ? null : "off"}, text("name start halo", l.x, y - 28, words), line("ruler", l.x, y, right, y), MARKS.map((n) => {
      const x = l.col(n * (times || 1)), big = n === 5 || n === 7;
      return x > right + 1 ? null : [line("mark", x, y, x, y - (big ? 9 : 5)), big || (n < 11 && l.wide && !(n % 5)) ? text(`count${big ? " big" : ""}`, x, y - 11, n) : null,
        guide && big && times ? line("guide", x, y, x, l.slide - 44) : null];
    }));
  }
  function view(v) {
    const {s, e, t, l, c, data} = v, now = counts(s), all = Math.max(1, maths.total(now)), good = (n) => data.metre.includes(n), most = maths.most(now), ruled = RULED.includes(s.how);
    const names = {linear: t("linear"), ntk: "NTK", yarn: "YaRN", layout: t("wrong layout"), none: t("no rotation")};
    // Between two factors, while the rulers are on their way
    const i = clamp(data.factors.findIndex((f) => f >= e.f - 1e-9), 1, data.factors.length - 1), [a, b] = [data.factors[i - 1], data.factors[i]];
    const times = (pair) => { const d = data.divided[s.how]; return d ? d[i - 1][pair] + ((d[i][pair] - d[i - 1][pair]) * (e.f - a)) / (b - a) : 0; };
    const [fast, slow] = [times(0), times(1)], five = l.col(data.metre[0] * e.f), by = (n) => Math.round(10 * n) / 10;
    const label = t("A poem written under {name}, divided by {f}, counted from {m}; the commonest of {n} verses has {k} characters.", {name: names[s.how], f: s.f, m: grouped(data.starts[s.m]), n: all, k: most});
    return [picture("verse", l, label,
      unspoken(text("name start", l.x, 18, t("how long the verses of {n} poems are", {n: data.poems})), line("base", l.x, l.foot, l.col(COLUMNS), l.foot),
        now.map((count, n) => (n ? rect(`bar${good(n) ? " good" : ""}`, l.col(n) - l.cell / 2 + 2, l.foot - (l.bars * count) / all, l.cell - 4, (l.bars * count) / all, 2) : null)),
        MARKS.map((n) => (n === 15 ? null : text("count tickname", l.col(n) - (n === COLUMNS ? 5 : 0), l.foot + 16, n === COLUMNS ? `${n}+` : n))),
        ruler(v, l.fast, fast, t("as the fastest pair counts them"), true), ruler(v, l.slow, slow, t("as the slowest pair counts them")),
        h("g", {lang: "zh-Hant"}, maths.rows(poem(s)).map(([words, whole, stop, last], r) => {
          const y = l.first + r * l.row + 18, x = l.col(words.length);
          return [words.map((word, n) => text("glyph", l.col(n + 0.5), y, word)), stop ? [line(`end${good(whole) ? " good" : ""}`, x, y - 17, x, y + 5), text("glyph name start", x + 3, y, stop)] : null,
            last ? line("rule", l.x, y + 8, l.col(COLUMNS), y + 8) : null];
        }))),
      tag("factor", c.factor, {x: five, y: l.slow + 10, up: true, width: l.wide ? 128 : 112, reach: 8, within: l.w, words: s.f > 1 ? t("divided by {n}", {n: s.f}) : t("not divided")}),
      rail("start", c.start, {x: 16, y: l.slide, width: l.w - 32, words: t("counting starts at {m}", {m: grouped(data.starts[s.m])})})),
      h("p", {class: "choices", role: "group", "aria-label": t("method")}, Object.keys(names).map((how) => choice(`how:${how}`, names[how], s.how === how))),
      gauges([[`${inMetre(s)} / ${maths.total(now)}`, t("verses of five or seven characters"), null, inMetre(s) < all / 2], [String(most), t("characters in the commonest verse"), null, !good(most)],
        [ruled ? by(5 * fast).toFixed(1) : "–", t("characters that the fastest pair takes for five"), null, !ruled || fast > 1.01]])];
  }
  define("verse", {maths, start, still: ({factors, asked}) => ({how: "linear", f: factors[asked]}), layout, controls, questions, free, jobs, view, eased: ["f"]});
})(globalThis.ropescenes);
