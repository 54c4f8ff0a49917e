// One query, one key, and what each encoding makes of their distance: who depends on content, who on the absolute place.
(function (scenes) {
  const {h, TURN, degrees, fixed, path, line, circle, text, draw, gauges, picture, unspoken, tag, rail, choice, define} = scenes;
  const KINDS = ["nope", "added", "rope", "xpos", "alibi"], LAST = 63, MOVED = 300; // farthest distance; what the questions move by

  const kept = {}; // asked for thousands of times in one drawing
  const maths = {
    speeds: (dim, base) => (kept[[dim, base]] ??= Array.from({length: dim / 2}, (_, i) => base ** -((2 * i) / dim))),
    turn: (x, angles) => angles.flatMap((a, i) => {
      const c = Math.cos(a), s = Math.sin(a), [p, q] = [x[2 * i], x[2 * i + 1]];
      return [p * c - q * s, p * s + q * c];
    }),
    wave: (m, speeds) => speeds.flatMap((v) => [Math.sin(m * v), Math.cos(m * v)]),
    zeta: (i, dim) => (2 * i + 0.4 * dim) / (1.4 * dim),
    // The scaled score of a query at m with a key at n
    score(kind, q, k, m, n, {base, slope, scale}) {
      const dim = q.length, v = maths.speeds(dim, base);
      let [a, b] = [q, k];
      if (kind === "added") [a, b] = [[q, m], [k, n]].map(([x, p]) => { const w = maths.wave(p, v); return x.map((value, i) => value + w[i]); });
      if (kind === "rope" || kind === "xpos") [a, b] = [[q, m], [k, n]].map(([x, p]) => maths.turn(x, v.map((speed) => p * speed)));
      const sum = a.reduce((total, value, i) => total + value * b[i] * (kind === "xpos" ? maths.zeta(i >> 1, dim) ** ((m - n) / scale) : 1), 0);
      return sum / Math.sqrt(dim) - (kind === "alibi" ? slope * Math.abs(m - n) : 0);
    },
  };
  const key = (s) => maths.turn(s.data.q, Array.from({length: s.data.q.length / 2}, () => s.turn)); // the same query, its content turned
  const score = (s, r = s.r, shift = s.shift) => maths.score(s.kind, s.data.q, key(s), r + shift, shift, s.data);
  const rs = Array.from({length: LAST + 1}, (_, r) => r);
  const best = (s) => rs.reduce((found, r) => (score(s, r) > score(s, found) + 1e-9 ? r : found), 0);
  const moved = (s) => Math.max(...rs.map((r) => Math.abs(score(s, r, s.shift || MOVED) - score(s, r, 0))));

  const start = (data) => ({data, kind: "rope", r: 8, shift: 0, turn: 0});

  function layout(w) {
    const wide = w >= 560, plot = {x: 40, y: 34, w: w - 54, h: wide ? 230 : 210}, end = plot.y + plot.h, first = end + 114, second = first + 64;
    return {w, wide, plot, end, first, second, height: second + 26, x: (r) => plot.x + (r / LAST) * plot.w, r: (x) => ((x - plot.x) / plot.w) * LAST, up: (v) => plot.y + ((9 - v) / 18) * plot.h};
  }
  function controls({s, l, t}) {
    const facts = t("score {v}", {v: fixed(score(s), 2)}), part = (x) => (x - 16) / (l.w - 32), turned = degrees(s.turn);
    return {
      distance: {name: t("relative distance"), min: 0, max: LAST, big: 8, value: s.r, text: `${fixed(s.r, 0)}; ${facts}`, at: l.r, set: (v) => ({r: Math.round(v)})},
      content: {name: t("the key's content, turned"), min: 0, max: 180, step: 5, big: 6, value: turned, text: `${fixed(turned, 0)}°; ${facts}`, at: (x) => part(x) * 180, set: (v) => ({turn: (Math.round(v) * TURN) / 360})},
      shift: {name: t("both moved by"), min: 0, max: 500, step: 10, big: 5, value: s.shift, text: `${s.shift}; ${facts}`, at: (x) => part(x) * 500, set: (v) => ({shift: Math.round(v)})},
    };
  }
  function questions({t, data}) {
    const first = start(data), as = (kind, more) => ({...first, kind, ...more}), against = {turn: Math.PI, r: 0};
    const choices = [["near", t("The nearest")], ["else", t("Another one")], ["any", t("All alike")]];
    return [
      {choices: [["yes", t("They stay")], ["no", t("They change")]], right: "no", before: as("added"), then: as("added", {shift: MOVED}),
        ask: t("The curve is RoPE's: one query, one key of the same content, highest at distance 0. Now position is added to both vectors instead, as sinusoids, and both words move {n} positions on. What of the scores at each distance?", {n: MOVED}),
        answer: t("They change, by up to {d}: what is added meets the content, and then the absolute place shows. Where position multiplies, or is added to scores alone, they stay.", {d: fixed(moved(as("added", {shift: MOVED})), 2)})},
      {choices, right: "near", before: as("alibi"), then: as("alibi", against),
        ask: t("ALiBi subtracts a little for each position of distance. Now the content is turned against the query, so that these two repel. Which distance scores highest?"),
        answer: t("The nearest, still: ALiBi's slope is added to the score, the same whatever the words say.")},
      {choices, right: "else", before: as("rope"), then: as("rope", {turn: Math.PI, r: best(as("rope", against))}),
        ask: t("And with RoPE, the same content turned against the query?"),
        answer: t("Distance {r}: RoPE turns content, so content decides which distance it likes. Neither is better in itself; they promise different things.", {r: best(as("rope", against))})},
    ];
  }
  const free = ({t}) => [t("Compare the encodings: turn the content, move both words, drag the distance. Which curves change their shape, and which only move up or down?")];
  const jobs = (job) => ({kind: job.split(":")[1]});

  function plot({s, e, t, l, c}) {
    const shown = {...s, turn: e.turn, shift: Math.round(e.shift)}, R = l.x(e.r), value = score(s), late = R > l.w - 70, right = l.plot.x + l.plot.w;
    const curve = (of) => path(rs.map((r) => [l.x(r), l.up(score(of, r))])), b = best(s);
    return [
      unspoken([-8, -4, 0, 4, 8].map((v) => [line("axis", l.plot.x, l.up(v), right, l.up(v)), text("tickname end", l.plot.x - 6, l.up(v) + 5, fixed(v, 0))]),
        [0, 16, 32, 48, 63].map((r) => text("tickname", l.x(r), l.end + 18, r)), text("name start", 2, 16, t("score before softmax")), text("name end", right, l.end + 38, t("relative distance")),
        s.shift ? draw("old", curve({...shown, shift: 0})) : draw("old", ""), line("best", l.x(b), l.plot.y, l.x(b), l.end), draw("curve", curve(shown)),
        line("here", R, l.plot.y, R, l.end + 46), circle("now", R, l.up(value), 6), text(`value halo ${late ? "end" : "start"}`, R + (late ? -11 : 11), l.up(value) - 9, fixed(value, 2))),
      tag("distance", c.distance, {x: R, y: l.end + 46, up: true, width: 112, reach: 4, within: l.w, words: t("distance {r}", {r: fixed(s.r, 0)})}),
      rail("content", c.content, {x: 16, y: l.first, width: l.w - 32, words: t("the key's content, turned by {a}°", {a: fixed(degrees(s.turn), 0)})}),
      rail("shift", c.shift, {x: 16, y: l.second, width: l.w - 32, words: t("both moved by {n}", {n: s.shift})}),
    ];
  }
  function view(v) {
    const {s, t, l} = v, names = {nope: "NoPE", added: t("sinusoids added"), rope: "RoPE", xpos: "xPos", alibi: "ALiBi"}, d = moved(s);
    const label = t("Score of one query and one key against distance under {name}; highest at {r}.", {name: names[s.kind], r: best(s)});
    return [picture("kernels", l, label, plot(v)),
      h("p", {class: "choices", role: "group", "aria-label": t("encoding")}, KINDS.map((kind) => choice(`kind:${kind}`, names[kind], s.kind === kind))),
      gauges([[fixed(d, 2), t("a score changes by at most, when both move"), null, d > 1e-9], [String(best(s)), t("distance of the highest score")]])];
  }
  define("kernels", {maths, start, still: (data, s) => ({turn: Math.PI, r: best({...s, turn: Math.PI, r: 0})}), layout, controls, questions, free, jobs, view, eased: ["r", "turn", "shift"]});
})(globalThis.ropescenes);
