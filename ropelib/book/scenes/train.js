// What two heads look at while they learn: one rotates, one adds codes. All was recorded while they were trained.
(function (scenes) {
  const {h, clamp, grouped, line, rect, text, gauges, picture, unspoken, rail, define} = scenes;

  const mix = (a, b, f) => a.map((v, i) => (Array.isArray(v) ? mix(v, b[i], f) : v + (b[i] - v) * f));
  const maths = {
    // Between two recorded rows: at 1.25, three quarters of row 1 and one of row 2
    between(rows, at) {
      const i = clamp(Math.floor(at), 0, rows.length - 1);
      return mix(rows[i], rows[Math.min(i + 1, rows.length - 1)], clamp(at - i, 0, 1));
    },
    heads: (data, i, m) => [maths.between(data.turned, i), maths.between(maths.between(data.added, i), m)],
  };
  const percent = (v) => `${Math.round(100 * v)} %`;
  const start = ({steps}) => ({i: steps.length - 1, m: 0}); // trained, counted from 0

  function layout(w) {
    const wide = w >= 560, width = wide ? (w - 76) / 2 : w - 46, tall = wide ? 170 : 120;
    const plots = [{x: 38, y: 34}, wide ? {x: 38 + width + 38, y: 34} : {x: 38, y: 34 + tall + 66}], end = plots[1].y + tall;
    return {w, plots, width, tall, first: end + 76, second: end + 132, height: end + 156, at: (x, n) => ((x - 16) / (w - 32)) * (n - 1)};
  }
  function controls({s, l, t, data}) {
    const {steps, starts, back} = data, [a, b] = maths.heads(data, s.i, s.m);
    const facts = t("rotating {a} on the token {k} back, adding {b}", {a: percent(a[back]), b: percent(b[back]), k: back});
    return {
      step: {name: t("steps of training"), min: 0, max: steps.length - 1, big: 3, value: s.i, text: `${steps[s.i]}; ${facts}`, at: (x) => l.at(x, steps.length), set: (v) => ({i: Math.round(v)})},
      start: {name: t("counting starts at"), min: 0, max: starts.length - 1, big: 3, value: s.m, text: `${starts[s.m]}; ${facts}`, at: (x) => l.at(x, starts.length), set: (v) => ({m: Math.round(v)})},
    };
  }
  function questions({t, data}) {
    const {steps, starts, back} = data, end = steps.length - 1, early = end - 3, far = starts.length - 2, on = (i, m) => maths.heads(data, i, m).map((p) => percent(p[back]));
    const who = [["turned", t("The one that rotates")], ["added", t("The one that adds")], ["both", t("Both")]], [a, b] = on(end, far), [c, d] = on(early, 0);
    return [
      {choices: who, right: "turned", then: {i: end, m: far},
        ask: t("Two heads were trained on positions 0 to 63, and both look {k} back. One rotates its queries and keys, one adds a code to its input. Now counting starts at {m}. Which still looks {k} back?", {k: back, m: grouped(starts[far])}),
        answer: t("The one that rotates, {a} as before: its scores see distance alone. In the other, distance and place stay mixed, and it is down to {b}.", {a, b})},
      {choices: who, right: "turned", before: {i: 0, m: 0}, then: {i: early, m: 0},
        ask: t("Back to the beginning: weights are random, attention is spread over everything. Who looks {k} back after {n} of {all} steps?", {k: back, n: steps[early], all: steps[end]}),
        answer: t("The one that rotates has {a} there, the other {b}. The first has to learn one angle, good at any place; in the other, distance and place stay mixed.", {a: c, b: d})},
    ];
  }
  const free = ({t}) => [t("Drag both. When does each peak appear, and which survives another start?")];

  function view(v) {
    const {s, e, t, l, c, data} = v, {steps, starts, back} = data, now = maths.heads(data, e.i, e.m), is = maths.heads(data, s.i, s.m).map((p) => p[back]);
    const names = [t("the head that rotates"), t("the head that adds")], one = l.width / now[0].length;
    const on = [t("the head that rotates, on distance {k}", {k: back}), t("the head that adds, on distance {k}", {k: back})];
    const label = t("Attention by distance after {n} steps, counted from {m}: {a} and {b} on the token {k} back.", {n: steps[s.i], m: starts[s.m], a: percent(is[0]), b: percent(is[1]), k: back});
    const plot = (p, n) => {
      const {x, y} = l.plots[n], foot = y + l.tall;
      return [text("name start", x, y - 14, names[n]), [0, 0.5, 1].map((q) => [line("rule", x, foot - q * l.tall, x + l.width, foot - q * l.tall), text("tickname end", x - 5, foot - q * l.tall + 5, `${100 * q}`)]),
        rect("goal", x + back * one, y, one, l.tall, 3), p.map((q, d) => rect(d === back ? "hit" : "miss", x + d * one + 2, foot - q * l.tall, one - 4, Math.max(0, q * l.tall), 2)),
        p.map((q, d) => (d % 5 ? null : text("tickname", x + (d + 0.5) * one, foot + 18, `${d}`))), text("name end", x + l.width, foot + 38, t("distance; attention in %"))];
    };
    return [picture("train", l, label, unspoken(now.map(plot)),
      rail("step", c.step, {x: 16, y: l.first, width: l.w - 32, words: t("{n} steps of training", {n: grouped(steps[s.i])})}),
      rail("start", c.start, {x: 16, y: l.second, width: l.w - 32, words: t("counting starts at {m}", {m: grouped(starts[s.m])})})),
      gauges(is.map((q, n) => [percent(q), on[n], null, q < 0.5]))];
  }
  define("train", {maths, start, still: ({starts}) => ({m: starts.length - 2}), layout, controls, questions, free, view, eased: ["i", "m"]});
})(globalThis.ropescenes);
