// A dial for each pair of channels: which hands finish a turn in training, and where they point beyond it.
(function (scenes) {
  const {h, TURN, one, fixed, grouped, at, sector, hatch, line, rect, text, draw, gauges, picture, unspoken} = scenes;
  const {handle, tag, define} = scenes;
  const DECADES = 8, FARTHEST = 7; // powers of ten: on the ruler, and of the distance
  const LARGER = 6, BEYOND = 8000; // what the questions try: a base of 10⁶, a distance past the training length

  const maths = {
    speeds: (dim, base) => Array.from({length: dim / 2}, (_, i) => base ** -((2 * i) / dim)),
    wave: (speed) => TURN / speed,
    never: (speeds, length) => speeds.filter((v) => maths.wave(v) >= length).length,
    rest: (p, speed) => p * speed - TURN * Math.floor((p * speed) / TURN), // where the hand points, from 0 to a turn
    strange: (p, speed, length) => p > length && maths.rest(p, speed) > length * speed, // where it never pointed in training
  };
  const {speeds, wave, never, rest, strange} = maths;
  const round = (value, digits) => Number(value.toPrecision(digits));
  // The state keeps logarithms, which move evenly: of the base, of the training length, of the distance
  const base = (s) => round(10 ** s.lb, 2), long = (s) => Math.round(10 ** s.ll), spot = (s) => round(Math.round(10 ** s.lp), 3);
  const all = (s) => speeds(s.dim, base(s));
  const lost = (s) => all(s).filter((v) => strange(spot(s), v, long(s))).length;
  const ring = (x, y, r) => `M${one(x - r)} ${one(y)}a${one(r)} ${one(r)} 0 1 0 ${one(2 * r)} 0 ${one(r)} ${one(r)} 0 1 0 ${one(-2 * r)} 0`;
  const short = (d) => (d < 3 ? String(10 ** d) : d < 6 ? `${10 ** (d - 3)}k` : `${10 ** (d - 6)}M`);

  const start = (data) => ({dim: data.dim, lb: Math.log10(data.base), ll: Math.log10(data.length), lp: Math.log10(data.position)});

  function layout(w) {
    const wide = w >= 560, cols = wide ? 16 : 11, cell = w / cols, top = 26, foot = top + Math.ceil(64 / cols) * cell; // a phone keeps dials and handles on one screen
    const ruler = foot + 44, left = 34, right = w - 12, waves = ruler + 38, bar = waves + 26, end = bar + 36;
    return {w, wide, cols, cell, top, foot, ruler, left, right, waves, bar, end, height: end + 82,
      x: (log) => left + (log / DECADES) * (right - left), log: (x) => ((x - left) / (right - left)) * DECADES};
  }

  function controls({s, l, t}) {
    const two10 = Math.log10(2), p = spot(s), total = s.dim / 2;
    const facts = t("{n} of {total} never finish a turn; {k} point where they never pointed in training", {n: never(all(s), long(s)), k: lost(s), total});
    const near = (steps) => (steps > 0 ? Math.max(p + steps, p * 1.122 ** steps) : Math.min(p + steps, p * 1.122 ** steps)); // small integers would stick
    return {
      position: {name: t("distance"), min: 0, max: FARTHEST, value: s.lp, text: `${grouped(p)}; ${facts}`, big: 8, at: l.log,
        nudge: (steps) => Math.log10(Math.max(1, near(steps))), set: (v) => ({lp: Math.log10(round(Math.max(1, Math.round(10 ** v)), 3))})},
      base: {name: t("base"), min: 2, max: 7, value: s.lb, step: 0.05, big: 10, text: `${grouped(base(s))}; ${facts}`,
        at: (x) => (l.log(x) - Math.log10(TURN)) / (1 - 2 / s.dim), set: (v) => ({lb: Math.round(v * 20) / 20})},
      training: {name: t("training length"), min: 7 * two10, max: 20 * two10, value: s.ll, step: two10, big: 3, text: `${grouped(long(s))}; ${facts}`,
        at: l.log, set: (v) => ({ll: Math.round(v / two10) * two10})},
    };
  }

  function questions({t, data}) {
    const first = start(data), larger = {...first, lb: LARGER}, beyond = {...first, lp: Math.log10(BEYOND)}, total = data.dim / 2;
    const b = grouped(base(first)), L = grouped(long(first)), tens = (s) => fixed(total / Math.log10(base(s)), 1);
    return [
      {choices: [["more", t("More")], ["fewer", t("Fewer")], ["same", t("As many")]], right: "more", then: larger,
        ask: t("The base is about to grow from {b} to 1,000,000; training stays {L} positions long. Will more hands fail to finish a turn, or fewer?", {b, L}),
        answer: t("{n} hands now never finish, before it was {before}; and each factor of ten has {x} pairs, before {y}. A larger base reaches farther and pays for it.",
          {n: never(all(larger), long(first)), before: never(all(first), long(first)), x: tens(larger), y: tens(first)})},
      {choices: [["none", t("None")], ["some", t("Some")], ["all", t("All {total}", {total})]], right: "some", before: first, then: beyond,
        ask: t("Base {b} again, trained on {L}. Now look back as far as distance {p}. How many hands will point where none pointed in training?", {b, L, p: grouped(BEYOND)}),
        answer: t("{k} slow hands point into the hatched part. The formula runs on, but nothing was ever learned there. The fast hands have each been all the way round.", {k: lost(beyond)})},
    ];
  }
  const free = ({t}) => [t("Drag the distance, the end of the training bar, or the end of the wavelengths, which changes the base. What do you gain, and what do you pay?")];

  // Shapes that look alike are one path: sixty-four dials are a handful of elements
  function dials({s, e, t, id, l}) {
    const r = Math.floor(l.cell * 0.4), length = 10 ** e.ll, truth = all(s), d = {whole: "", part: "", seen: "", unseen: "", hands: "", tips: "", lost: "", lostTips: ""};
    speeds(s.dim, 10 ** e.lb).forEach((v, i) => {
      const x = ((i % l.cols) + 0.5) * l.cell, y = l.top + (Math.floor(i / l.cols) + 0.5) * l.cell, seen = Math.min(TURN, length * v);
      const [hx, hy] = at(x, y, rest(10 ** e.lp, v), r * 0.82).map(one), bad = strange(spot(s), truth[i], long(s));
      d[seen < TURN ? "part" : "whole"] += ring(x, y, r);
      if (seen < TURN) {
        d.seen += sector(x, y, 0, seen, r);
        d.unseen += sector(x, y, seen, TURN, r);
      }
      d[bad ? "lost" : "hands"] += `M${one(x)} ${one(y)}L${hx} ${hy}`;
      d[bad ? "lostTips" : "tips"] += `M${hx} ${hy}h0`;
    });
    return unspoken(
      draw("face part", d.part), draw("seen", d.seen), draw(null, d.unseen, {fill: `url(#${id}fine)`}), draw("face whole", d.whole),
      draw("hands", d.hands), draw("tips", d.tips), draw("hands lost", d.lost), draw("tips lost", d.lostTips),
      text("name start", 2, 16, t("pair 0, the fastest")), text("name end", l.w - 2, l.foot + 18, t("pair {i}, the slowest", {i: s.dim / 2 - 1})));
  }

  function ruler({s, e, t, id, l, c}) {
    const v = speeds(s.dim, 10 ** e.lb), slow = l.x(Math.log10(wave(v.at(-1)))), L = l.x(e.ll), P = l.x(e.lp);
    const tight = L > l.w - 152, left = slow < l.w * 0.55;
    const marks = (in_) => v.filter((w) => (wave(w) < 10 ** e.ll) === in_).map((w) => `M${one(l.x(Math.log10(wave(w))))} ${l.waves - 8}v${in_ ? 16 : 7}`).join("");
    return [
      unspoken(
        h("rect", {x: L, y: l.bar, width: Math.max(0, l.right - L), height: 24, fill: `url(#${id}wide)`, opacity: 0.55}),
        Array.from({length: DECADES + 1}, (_, d) => {
          const last = d === DECADES, shown = (l.wide || d % 2 === 0) && Math.abs(l.x(d) - P) > (last ? 40 : 22);
          return [line("rule", l.x(d), l.waves - 12, l.x(d), l.end), shown ? text(`tickname${last ? " end" : ""}`, l.x(d) + (last ? 6 : 0), l.end + 18, short(d)) : null];
        }),
        line("waves", l.x(Math.log10(TURN)), l.waves, slow, l.waves), draw("waves", marks(true)), draw("waves not", marks(false)),
        text(`name ${left ? "end" : "start"}`, left ? l.right : 2, l.ruler + 14, t("wavelengths")),
        rect("bar", l.left, l.bar, L - l.left, 24, 3),
        text(`halo ${tight ? "end" : "start"}`, L + (tight ? -16 : 16), l.bar + 17, t("trained on {L}", {L: grouped(long(s))})),
        text("name end", l.right, l.end + 72, t("distance, by powers of ten")),
        line("here", P, l.waves - 14, P, l.end + 26)),
      handle("training", c.training, [L - 22, l.bar - 10, 44, 44], rect("grasp", L - 7, l.bar - 5, 14, 34, 5), draw("lines", `M${one(L) - 2} ${l.bar + 5}v14M${one(L) + 2} ${l.bar + 5}v14`)),
      tag("base", c.base, {x: slow, y: l.ruler - 8, width: l.wide ? 128 : 122, reach: 11, within: l.w, words: t("base {b}", {b: grouped(base(s))})}),
      tag("position", c.position, {x: P, y: l.end + 26, up: true, width: 152, reach: 4, within: l.w, words: t("distance {r}", {r: grouped(spot(s))})}),
    ];
  }

  function counts({s, t, data}) {
    const total = s.dim / 2, list = (x) => [grouped(wave(all(x).at(-1))), fixed(total / Math.log10(base(x)), 1), `${never(all(x), long(x))} / ${total}`, `${lost(x)} / ${total}`];
    const now = list(s), was = list(start(data));
    const names = [t("positions for the slowest turn"), t("pairs to each factor of ten"), t("never finish a turn in training"), t("point where none pointed in training")];
    return gauges(now.map((value, i) => [value, names[i], value === was[i] ? null : t("(from {v})", {v: was[i].split(" ")[0]}), i === 3 && lost(s) > 0]));
  }

  function view(v) {
    const {s, t, l, id} = v;
    const label = t("{total} dials, one for each pair of channels; below them wavelengths, training length and a distance.", {total: s.dim / 2});
    return [picture("clocks", l, label, h("defs", {}, hatch(`${id}fine`, 4), hatch(`${id}wide`, 9)), dials(v), ruler(v)), counts(v)];
  }
  define("clocks", {maths, start, still: () => ({lp: Math.log10(BEYOND)}), layout, controls, questions, free, view, eased: ["lb", "ll", "lp"]});
})(globalThis.ropescenes);
