// Positions as points on circles: one circle comes round again, a slow one confuses neighbours, several together do neither.
(function (scenes) {
  const {h, TURN, clamp, fixed, grouped, at, path, sector, line, circle, text, draw, picture, unspoken, tag, rail, choice, define} = scenes;
  const LAST = 47, SLOWER = Math.sqrt(10), FAR = 12, SLOW = 60; // last position; from circle to circle; what the questions try

  const maths = {
    speeds: (period, count) => Array.from({length: count}, (_, i) => TURN / (period * SLOWER ** i)),
    likeness: (r, speeds) => speeds.reduce((sum, v) => sum + Math.cos(r * v), 0) / speeds.length,
  };
  const speeds = (s) => maths.speeds(s.period, s.count), alike = (s, r = s.a - s.b) => maths.likeness(r, speeds(s));

  const start = ({period, a, b}) => ({period, count: 1, a, b});

  function layout(w) {
    const wide = w >= 560, pad = 16, y = 44, strip = {y, x: (p) => pad + (p / LAST) * (w - 2 * pad), place: (x) => ((x - pad) / (w - 2 * pad)) * LAST};
    const head = y + 78, area = {x: wide ? 10 : 20, y: head, w: wide ? w * 0.42 : w - 40, h: wide ? 250 : 220};
    const plot = wide ? {x: area.x + area.w + 56, y: head + 20, h: 190} : {x: 34, y: head + area.h + 26, h: 150};
    plot.w = w - plot.x - 12;
    const dial = plot.y + plot.h + 92;
    return {w, wide, strip, area, plot, dial, height: dial + 26, r: (d) => plot.x + (d / LAST) * plot.w, up: (v) => plot.y + ((1.08 - v) / 2.16) * plot.h};
  }
  // Circles in as many rows as leaves them largest
  function places(count, {x, y, w, h: high}) {
    const cols = count === 1 ? 1 : count === 2 ? 2 : count === 4 ? 2 : 4, rows = count / cols, [dx, dy] = [w / cols, high / rows], R = Math.min(dx / 2 - 10, dy / 2 - 16, 92);
    return Array.from({length: count}, (_, i) => ({x: x + ((i % cols) + 0.5) * dx, y: y + (Math.floor(i / cols) + 0.5) * dy - 8, R}));
  }

  function controls({s, l, t}) {
    const facts = t("distance {r}, similarity {v}", {r: fixed(s.a - s.b, 0), v: fixed(alike(s), 2)});
    const spot = (id, name) => ({name, min: 0, max: LAST, value: s[id], big: 5, text: `${t("position {m}", {m: s[id]})}; ${facts}`, at: l.strip.place, set: (v) => ({[id]: Math.round(v)})});
    return {a: spot("a", t("A")), b: spot("b", t("B")),
      period: {name: t("positions for a turn"), min: 3, max: SLOW, value: s.period, step: 1, big: 6, text: `${fixed(s.period, 0)}; ${facts}`,
        at: (x) => 3 + clamp((x - l.plot.x) / l.plot.w, 0, 1) * (SLOW - 3), set: (v) => ({period: Math.round(v)})}};
  }

  function questions({t, data}) {
    const first = start(data), far = {...first, a: data.b + FAR}, many = {...far, count: 4}, slow = {...first, period: SLOW};
    const v = (s) => fixed(alike(s), 2), T = data.period, b = data.b, a = data.b + FAR;
    return [
      {choices: [["far", t("At opposite ends")], ["same", t("At the same point")], ["between", t("Somewhere between")]], right: "same", then: far,
        ask: t("Each position is a point on the circle, and {T} positions make a turn. B stays at {b}; A is about to walk from {c} to {a}. Where will they stand?", {T, b, a, c: data.a}),
        answer: t("At the same point: {T} positions on, the circle has come round. One circle cannot tell {b} from {a}; their similarity is {v}, as of a word with itself.", {T, b, a, v: v(far)})},
      {choices: [["still", t("Still the same")], ["told", t("Told apart")]], right: "told", before: far, then: many,
        ask: t("Three more circles join, each about three times slower than the one before. Can they tell {b} from {a}?", {b, a}),
        answer: t("They can: the slower circles have not come round yet. The similarity falls to {v}, and the crests of the curve are no longer equal.", {v: v(many)})},
      {choices: [["yes", t("It is enough")], ["no", t("It is not")]], right: "no", before: {...first, count: 1}, then: slow,
        ask: t("Or would one circle do, if it were slow? It comes round only after {S} positions. A is at {c}, right beside B at {b}.", {S: SLOW, b, c: data.a}),
        answer: t("Nothing collides now, but neighbours look the same: similarity {v}. Fast circles tell neighbours apart, slow ones far places; one needs both.", {v: v(slow)})},
    ];
  }
  const free = ({t}) => [t("Drag A and B, change the speed and the number of circles. Can you find two places that four circles still take for the same?")];
  const jobs = (job) => ({count: Number(job.slice(5))});

  function strip({s, e, t, l, c}) {
    const {x, y} = l.strip, spot = (id, up, words) => tag(id, c[id], {x: x(e[id]), y: up ? y + 22 : 2, up, width: 76, reach: up ? 14 : 10, within: l.w, words});
    return [unspoken(line("axis", x(0), y, x(LAST), y), Array.from({length: LAST + 1}, (_, p) => [line("tick", x(p), y - 4, x(p), y + 4), p % (l.wide ? 5 : 10) === 0 ? text("place", x(p), y + 18, p) : null])),
      spot("b", true, t("B at {m}", {m: s.b})), spot("a", false, t("A at {m}", {m: s.a}))];
  }
  function dials({s, e, t, l}) {
    const v = maths.speeds(e.period, s.count), true_ = speeds(s);
    return unspoken(places(s.count, l.area).map(({x, y, R}, i) => {
      const A = e.a * v[i], B = e.b * v[i], gap = ((A - B + Math.PI) % TURN + TURN) % TURN - Math.PI, [ax, ay] = at(x, y, A, R), [bx, by] = at(x, y, B, R);
      const T = TURN / true_[i], n = T < 100 ? fixed(T, 0) : grouped(Number(T.toPrecision(2)));
      return h("g", {}, circle("face", x, y, R), draw("between", sector(x, y, B, B + gap, R * 0.55)), line("hand b", x, y, bx, by), line("hand a", x, y, ax, ay),
        circle("b", bx, by, Math.max(5, R / 11)), circle("a", ax, ay, Math.max(4, R / 15)), text("small", x, y + R + 20, s.count > 4 ? n : t("a turn in {n}", {n})));
    }));
  }
  function plot({s, e, t, l, c}) {
    const {x, y, w, h: high} = l.plot, v = maths.speeds(e.period, s.count), shown = Math.abs(e.a - e.b), value = alike(s), end = x + w, late = l.r(shown) > end - 60;
    const curve = Array.from({length: 4 * LAST + 1}, (_, i) => [l.r(i / 4), l.up(maths.likeness(i / 4, v))]);
    const dots = Array.from({length: LAST + 1}, (_, d) => circle("visited", l.r(d), l.up(maths.likeness(d, v)), 2.6));
    return [unspoken(
      [-1, 0, 1].map((m) => [line("axis", x, l.up(m), end, l.up(m)), text("tickname end", x - 7, l.up(m) + 5, fixed(m, 0))]),
      [0, 10, 20, 30, 40].map((d) => text("tickname", l.r(d), y + high + 18, d)),
      text("name start halo", x, y - 12, t("similarity")), text("name end", end, y + high + 36, t("distance between A and B")),
      draw("curve", path(curve)), h("g", {}, dots), line("drop", l.r(shown), l.up(0), l.r(shown), l.up(maths.likeness(shown, v))),
      circle("now", l.r(shown), l.up(maths.likeness(shown, v)), 7), text(`value halo ${late ? "end" : "start"}`, l.r(shown) + (late ? -12 : 12), l.up(value) + (value > 0 ? 18 : -8), fixed(value, 2))),
    rail("period", c.period, {x, y: l.dial, width: w, words: t("positions for a turn of the first circle: {n}", {n: fixed(s.period, 0)})})];
  }
  function view(v) {
    const {s, t, l} = v, label = t("A line of positions with A at {a} and B at {b}; their points on {n} circles; similarity against distance.", {a: s.a, b: s.b, n: s.count});
    return [picture("circles", l, label, strip(v), dials(v), plot(v)),
      h("p", {class: "choices", role: "group", "aria-label": t("circles")}, h("span", {}, t("circles")), [1, 2, 4, 8].map((n) => choice(`count${n}`, String(n), s.count === n)))];
  }
  define("circles", {maths, start, still: ({b}) => ({a: b + FAR, count: 4}), layout, controls, questions, free, jobs, view, eased: ["a", "b", "period"]});
})(globalThis.ropescenes);
