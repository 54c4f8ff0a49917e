// A ruler whose marks thin out: what three number formats make of a position, of a frequency, or of the finished table.
(function (scenes) {
  const {h, TURN, near, fixed, grouped, at, line, circle, rect, text, draw, hand, gauges, picture, unspoken, tag, rail, choice, define} = scenes;
  const DECADES = 7, BESIDE = 8, FAR = 100_000, NEAR = 10, AWAY = 1000; // of the ruler; marks to each side; what the questions try
  const FORMATS = {bf16: {bits: 8}, fp16: {bits: 11, least: 2 ** -24, most: 65_504}, fp32: {bits: 24}};

  const even = (x) => { const r = Math.round(x); return Math.abs(x % 1) === 0.5 && r % 2 !== 0 ? r - 1 : r; };
  const maths = {
    // The nearest number with so many significant bits, halves to the even one
    keep(x, {bits, least = 0, most = Infinity}) {
      if (x === 0) return 0;
      const gap = Math.max(2 ** (Math.floor(Math.log2(Math.abs(x))) + 1 - bits), least), kept = even(x / gap) * gap;
      return Math.abs(kept) > most ? Infinity : kept;
    },
    speed: (pair, dim, base) => base ** ((-2 * pair) / dim),
    // Where the hand of a pair points when the format is put in at one station; null where there is no number
    angle(format, station, m, speed) {
      const keep = (x) => maths.keep(x, format);
      if (station === "table") return Math.atan2(keep(Math.sin(m * speed)), keep(Math.cos(m * speed)));
      const angle = station === "position" ? keep(m) * speed : m * keep(speed);
      return Number.isFinite(angle) ? angle : null;
    },
    off(format, station, m, speed) {
      const angle = maths.angle(format, station, m, speed);
      return angle === null ? null : near(angle - m * speed);
    },
  };
  const spot = (s) => Math.round(10 ** s.lm), speed = (s) => maths.speed(s.pair, s.dim, s.base);
  const off = (s, name) => maths.off(FORMATS[name], s.station, spot(s), speed(s));
  const degrees = (angle) => { const d = Math.abs((angle * 360) / TURN); return d === 0 ? "0" : d < 0.0005 ? "<0.001" : d < 0.1 ? fixed(d, 3) : d < 10 ? fixed(d, 1) : fixed(d, 0); };
  const short = (d) => (d < 3 ? String(10 ** d) : d < 6 ? `${10 ** (d - 3)}k` : `${10 ** (d - 6)}M`);

  const start = ({dim, base}) => ({dim, base, lm: Math.log10(256), pair: 0, station: "position"});

  function layout(w) {
    const wide = w >= 560, left = 14, right = w - 16, ruler = 44, marks = ruler + 66, mark = (w - (wide ? 130 : 66)) / (2 * BESIDE + 1), from = wide ? 110 : 52;
    const R = wide ? Math.min(74, w / 9) : Math.min(44, w / 7.6), dials = marks + 128 + R, foot = dials + R + 62, slide = foot + 34;
    return {w, wide, left, right, ruler, marks, mark, from, R, dials, slide, height: slide + 26, x: (log) => left + (log / DECADES) * (right - left), log: (x) => ((x - left) / (right - left)) * DECADES};
  }
  function controls({s, l, t}) {
    const m = spot(s), words = Object.keys(FORMATS).map((name) => { const d = off(s, name); return `${name} ${d === null ? t("no number") : t("off by {a}°", {a: degrees(d)})}`; }).join(", ");
    return {
      position: {name: t("position"), min: 0, max: DECADES, value: s.lm, big: 8, text: `${grouped(m)}; ${words}`, at: l.log,
        nudge: (steps) => Math.log10(Math.max(1, Math.abs(steps) > 1 ? m * 10 ** (steps / 8) : m + steps)), set: (v) => ({lm: Math.log10(Math.round(10 ** v))})},
      pair: {name: t("pair of channels"), min: 0, max: s.dim / 2 - 1, value: s.pair, big: 8, text: `${s.pair}; ${words}`, at: (x) => ((x - 16) / (l.w - 32)) * (s.dim / 2 - 1), set: (v) => ({pair: Math.round(v)})},
    };
  }
  function questions({t, data}) {
    const first = start(data), next = {...first, lm: Math.log10(257)}, far = {...first, lm: Math.log10(FAR)}, last = {...far, station: "table"};
    const slow = {...first, lm: Math.log10(NEAR), pair: 1, station: "frequency"}, drawn = {...slow, lm: Math.log10(AWAY)};
    const a = (s) => degrees(off(s, "bf16"));
    return [
      {choices: [["all", t("All three")], ["two", t("fp16 and fp32")], ["one", t("Only fp32")]], right: "two", then: next,
        ask: t("At position 256 all three formats hold the number, and their hands stand on the true one. Next comes 257. Which of them can tell it from 256?"),
        answer: t("bf16 has 8 significant bits: after 256 it knows 258. Its hand stays at 256, {a}° behind, a whole position. fp16 gets as far as 2,048, fp32 to 16,777,216.", {a: a(next)})},
      {choices: [["lost", t("Anywhere")], ["some", t("Some tens of degrees")], ["little", t("Less than a degree")]], right: "little", before: far, then: last,
        ask: t("At position {m} the marks of bf16 lie 512 apart. Now positions and angles are computed exactly, and only the finished cosine and sine are put into bf16. How far off can its hand be?", {m: grouped(FAR)}),
        answer: t("Here {a}°, and nowhere more than a quarter of a degree. Positions in bf16 go wrong without limit; rounding last costs the same little everywhere (little, not nothing: over long keys, and many, it adds up).", {a: a(last)})},
      {choices: [["same", t("As much")], ["more", t("Far more")], ["none", t("Not at all")]], right: "more", before: slow, then: drawn,
        ask: t("Now the frequency of pair 1 alone is rounded; positions are exact. At position {m} the hand of bf16 is off by {a}°. And at position {n}?", {m: NEAR, n: grouped(AWAY), a: a(slow)}),
        answer: t("By {a}°: the frequency is off by a fixed share, and the angle with it, in proportion to the position, or in a score to the distance. Nearby it does not show; far away it does.", {a: a(drawn)})},
    ];
  }
  const free = ({t}) => [t("Drag the position along the powers of ten, take slower pairs, and put the format in at another station.")];
  const jobs = (job) => ({station: job.split(":")[1]});

  function ruler({s, e, t, l, c}) {
    const P = l.x(e.lm);
    return [unspoken(line("axis", l.left, l.ruler, l.right, l.ruler), Array.from({length: DECADES + 1}, (_, d) =>
      [line("tick", l.x(d), l.ruler - 6, l.x(d), l.ruler + 6), text(`tickname ${d === DECADES ? "end" : d ? "" : "start"}`, l.x(d) + (d === DECADES ? 4 : d ? 0 : -6), l.ruler + 22, short(d))])),
    tag("position", c.position, {x: P, y: 4, width: l.wide ? 150 : 138, reach: 12, within: l.w, words: t("position {m}", {m: grouped(spot(s))})})];
  }
  // The integers around the position, and for each format those that it can hold
  function marks({s, t, l}) {
    const m = spot(s), around = Array.from({length: 2 * BESIDE + 1}, (_, i) => m - BESIDE + i).map((n) => Math.max(0, n)), x = (i) => l.from + (i + 0.5) * l.mark;
    return unspoken(text("name start", 2, l.marks - 12, t("numbers near it that a format holds")),
      Object.entries(FORMATS).map(([name, format], row) => {
        const y = l.marks + 6 + row * 30, kept = s.station === "position" ? maths.keep(m, format) : m, jump = kept - m;
        return h("g", {class: name}, text("format start", 2, y + 13, name),
          around.map((n, i) => rect(maths.keep(n, format) === n && (i === BESIDE || n > 0) ? "mark" : "hole", x(i) - Math.min(7, l.mark / 2 - 1), y, Math.min(14, l.mark - 2), 18, 3)),
          Number.isFinite(kept) ? [circle("kept", x(Math.max(-0.4, Math.min(2 * BESIDE + 0.4, BESIDE + jump))), y + 9, 5), jump && Math.abs(jump) > BESIDE ? text("small end", jump < 0 ? l.from - 6 : l.w - 2, y + 13, jump < 0 ? "←" : "→") : null] : null);
      }), line("true", x(BESIDE), l.marks - 4, x(BESIDE), l.marks + 94));
  }
  function dials({s, t, l}) {
    const m = spot(s), v = speed(s);
    return unspoken(Object.entries(FORMATS).map(([name, format], i) => {
      const x = ((i + 0.5) * l.w) / 3, y = l.dials, angle = maths.angle(format, s.station, m, v), d = angle === null ? null : near(angle - m * v), wrong = d === null || Math.abs(d) > 0.0175;
      return h("g", {class: name}, circle("face", x, y, l.R), line("right", x, y, ...at(x, y, m * v, l.R)), circle("tip", ...at(x, y, m * v, l.R), 4),
        angle === null ? null : hand(wrong ? "wrong" : "good", x, y, angle, l.R - 6, 12), circle("hub", x, y, 3),
        text("format", x, y + l.R + 22, name), text(`verdict ${wrong ? "bad" : "fine"}`, x, y + l.R + 42, d === null ? t("no number") : t("off by {a}°", {a: degrees(d)})));
    }));
  }
  function view(v) {
    const {s, t, l, c} = v, m = grouped(spot(s)), names = {position: t("the position"), frequency: t("the frequency"), table: t("the end (the table)")};
    const label = t("A ruler of powers of ten with position {m}; the numbers near it that three formats hold; and their three hands beside the true one.", {m});
    return [picture("precision", l, label, ruler(v), marks(v), dials(v), rail("pair", c.pair, {x: 16, y: l.slide, width: l.w - 32, words: t("pair {i}: {a}° a position", {i: s.pair, a: degrees(speed(s))})})),
      h("p", {class: "choices", role: "group", "aria-label": t("rounded")}, h("b", {}, t("rounded")), Object.keys(names).map((name) => choice(`station:${name}`, names[name], s.station === name)))];
  }
  define("precision", {maths, formats: FORMATS, start, still: () => ({lm: Math.log10(FAR)}), layout, controls, questions, free, jobs, view, eased: ["lm"]});
})(globalThis.ropescenes);
