// Reading beyond the trained length: what each method does to every pair's wavelength, what is still unseen, and what it costs.
(function (scenes) {
  const {h, TURN, clamp, fixed, grouped, path, line, circle, text, draw, gauges, picture, unspoken, hatch, tag, rail, choice, define} = scenes;
  const METHODS = ["none", "linear", "ntk", "yarn", "llama3"], ASKED = 4; // the factor that the questions take

  const maths = {
    speeds: (dim, base) => Array.from({length: dim / 2}, (_, i) => base ** -((2 * i) / dim)),
    // The index of the pair that makes so many turns in the trained length
    index: (turns, dim, base, length) => (dim * Math.log(length / (turns * TURN))) / (2 * Math.log(base)),
    scaled(method, dim, base, factor, length) {
      const speeds = maths.speeds(dim, base);
      if (method === "linear") return speeds.map((v) => v / factor);
      if (method === "ntk") return maths.speeds(dim, base * factor ** (dim / (dim - 2)));
      if (method === "yarn") { // pairs with more than 32 turns stay, those with less than one are divided, a ramp between
        const low = Math.max(0, Math.floor(maths.index(32, dim, base, length))), high = Math.min(dim - 1, Math.ceil(maths.index(1, dim, base, length)));
        return speeds.map((v, i) => { const ramp = clamp((i - low) / (high - low || 0.001), 0, 1); return v * (1 - ramp) + (v / factor) * ramp; });
      }
      if (method === "llama3") { // the same with 4 turns, and a ramp in turns
        return speeds.map((v) => { const smooth = clamp(((length * v) / TURN - 1) / 3, 0, 1); return v * smooth + (v / factor) * (1 - smooth); });
      }
      return speeds;
    },
    // Pairs that come, within factor times the length, to arcs that they never saw in training
    lost: (before, after, factor, length) => before.map((v, i) => length * v < TURN && after[i] * factor > v * (1 + 1e-9)),
  };
  const long = (s) => Math.round(2 ** s.ll), factor = (s) => Math.round(2 ** s.lf * 100) / 100;
  const before = (s) => maths.speeds(s.dim, s.base), after = (s) => maths.scaled(s.method, s.dim, s.base, factor(s), long(s));
  const lost = (s) => maths.lost(before(s), after(s), factor(s), long(s)).filter(Boolean).length;
  const degrees = (v) => fixed((v * 360) / TURN, 1);

  const start = ({dim, base, length}) => ({dim, base, ll: Math.log2(length), lf: 0, method: "none"});

  function layout(w) {
    const wide = w >= 560, plot = {x: wide ? 58 : 40, y: 30, w: w - (wide ? 76 : 50), h: wide ? 330 : 300}, end = plot.y + plot.h, slide = end + 106;
    return {w, wide, plot, end, slide, height: slide + 26, x: (log) => plot.x + ((log - 0.6) / 4.6) * plot.w, log: (x) => 0.6 + ((x - plot.x) / plot.w) * 4.6, up: (log) => end - ((log - 0.6) / 6) * plot.h};
  }
  function controls({s, l, t}) {
    const facts = t("{k} pairs come to arcs they never saw; the fastest pair turns {a}° a position", {k: lost(s), a: degrees(after(s)[0])}), two10 = Math.log10(2);
    return {
      factor: {name: t("how many times as long"), min: 0, max: 5, step: 0.5, big: 2, value: s.lf, text: `${factor(s)}; ${facts}`, at: (x) => ((x - 16) / (l.w - 32)) * 5, set: (v) => ({lf: Math.round(v * 10) / 10})},
      training: {name: t("training length"), min: 8, max: 16, big: 2, value: s.ll, text: `${grouped(long(s))}; ${facts}`, at: (x) => l.log(x) / two10, set: (v) => ({ll: Math.round(v)})},
    };
  }
  function questions({t, data}) {
    const first = start(data), as = (method) => ({...first, lf: Math.log2(ASKED), method}), L = grouped(data.length), k = (method) => lost(as(method));
    return [
      {choices: [["fast", t("The fast ones")], ["slow", t("The slow ones")], ["all", t("All")]], right: "slow", then: as("none"),
        ask: t("Each dot is a pair: to the right its wavelength as trained, upwards the one now used. Trained on {L}, the model is to read {n} times as far, with nothing changed. Which pairs come to angles that they never saw?", {L, n: ASKED}),
        answer: t("The {k} slow ones, in the hatched part: in training they never finished a turn. The fast pairs have been everywhere.", {k: k("none")})},
      {choices: [["free", t("Nothing")], ["near", t("Neighbours blur")], ["far", t("Far words are lost")]], right: "near", then: as("linear"),
        ask: t("Linear interpolation divides every frequency by {n}: each dot rises to the dashed line, and no pair is lost. What does that cost?", {n: ASKED}),
        answer: t("Neighbours: the fastest pair turned {a}° from one position to the next, now {b}°. What was learned about adjacent words is squeezed.", {a: degrees(before(first)[0]), b: degrees(after(as("linear"))[0])})},
      {choices: [["none", t("None")], ["some", t("Most of the slow ones")]], right: "some", then: as("ntk"),
        ask: t("NTK-aware scaling raises the base instead, so that the fastest pair stays as it is and the slowest is divided by {n}. How many pairs come to unseen angles?", {n: ASKED}),
        answer: t("{k} of the {all} slow ones: only the very last reaches the dashed line. YaRN and Llama 3 divide all of them and leave the fast ones alone.", {k: k("ntk"), all: k("none")})},
    ];
  }
  const free = ({t}) => [t("Choose a method, drag the factor and the training length. Where does each leave the line of what was trained?")];
  const jobs = (job) => ({method: job.split(":")[1]});

  function plot({s, e, t, id, l, c}) {
    const f = 2 ** e.lf, L = 2 ** e.ll, old = before(s), now = maths.scaled(s.method, s.dim, s.base, f, L), bad = maths.lost(old, after(s), factor(s), long(s)), X = l.x(Math.log10(L)), right = l.plot.x + l.plot.w;
    const where = (v) => Math.log10(TURN / v), short = ["1", "10", "100", "1k", "10k", "100k", "1M"];
    const lines = (shift) => path([[l.x(0.6), l.up(0.6 + shift)], [l.x(5.2), l.up(5.2 + shift)]]);
    return [
      unspoken(h("defs", {}, hatch(`${id}wide`, 9)), h("rect", {x: X, y: l.plot.y, width: Math.max(0, right - X), height: l.plot.h, fill: `url(#${id}wide)`, opacity: 0.5}),
        [1, 2, 3, 4, 5].map((d) => [line("rule", l.x(d), l.plot.y, l.x(d), l.end), text("tickname", l.x(d), l.end + 18, short[d])]),
        [1, 2, 3, 4, 5, 6].map((d) => [line("rule", l.plot.x, l.up(d), right, l.up(d)), text("tickname end", l.plot.x - 6, l.up(d) + 5, short[d])]),
        text("name start halo", 2, 16, t("wavelength used")), X - l.plot.x > 170 ? text("name start", l.plot.x, l.end + 38, t("wavelength as trained")) : text("name end", right, l.end + 38, t("wavelength as trained")),
        draw("same", lines(0)), draw("all", lines(e.lf * Math.log10(2))), text("name halo end", right, Math.max(18, l.up(5.2 + e.lf * Math.log10(2)) - 10), e.lf > 0.3 ? t("divided by {n}", {n: factor(s)}) : null),
        old.map((v, i) => { const ratio = v / now[i]; return circle(`pair ${bad[i] ? "bad" : ratio < 1.01 ? "kept" : ratio > f * 0.99 ? "whole" : "part"}`, l.x(where(v)), l.up(where(now[i])), bad[i] ? 5 : 4); }),
        line("here", X, l.plot.y, X, l.end + 48)),
      tag("training", c.training, {x: X, y: l.end + 48, up: true, width: l.wide ? 156 : 140, reach: 4, within: l.w, words: t("trained on {L}", {L: grouped(long(s))})}),
      rail("factor", c.factor, {x: 16, y: l.slide, width: l.w - 32, words: t("reading {n} times as far, to {m}", {n: factor(s), m: grouped(long(s) * factor(s))})}),
    ];
  }
  function view(v) {
    const {s, t, l} = v, names = {none: t("nothing"), linear: t("linear"), ntk: "NTK", yarn: "YaRN", llama3: "Llama 3"}, k = lost(s), fast = after(s)[0] / before(s)[0];
    const label = t("Wavelengths of {n} pairs as trained and as used, method {m}; {k} come to angles never seen.", {n: s.dim / 2, m: names[s.method], k});
    return [picture("stretch", l, label, plot(v)),
      h("p", {class: "choices", role: "group", "aria-label": t("method")}, METHODS.map((m) => choice(`method:${m}`, names[m], s.method === m))),
      gauges([[`${k} / ${s.dim / 2}`, t("pairs that come to angles never seen"), null, k > 0], [`${degrees(after(s)[0])}°`, t("the fastest pair turns, a position"), fast < 0.99 ? t("({a}° as trained)", {a: degrees(before(s)[0])}) : null, fast < 0.99],
        [grouped(TURN / after(s).at(-1)), t("the longest wavelength used")]])];
  }
  define("stretch", {maths, start, still: () => ({lf: Math.log2(ASKED), method: "yarn"}), layout, controls, questions, free, jobs, view, eased: ["ll", "lf"]});
})(globalThis.ropescenes);
