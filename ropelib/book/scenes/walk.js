// A score as a walk: one step for each pair, head to tail. How far it leads, what bounds it, and what bends it.
(function (scenes) {
  const {h, clamp, fixed, path, one, line, circle, rect, text, draw, picture, unspoken, tag, rail, button, define} = scenes;
  const LAST = 255, FAR = 100, TURNED = 60; // farthest distance; what the questions try

  const maths = {
    speeds: (dim, base) => Array.from({length: dim / 2}, (_, i) => base ** -((2 * i) / dim)),
    // Where the walk stands after each step: steps of complex length h, in the directions r θ
    walk(h, r, speeds) {
      let x = 0, y = 0;
      return speeds.map((v, i) => {
        const c = Math.cos(r * v), s = Math.sin(r * v), [a, b] = h[i];
        return [(x += a * c - b * s), (y += a * s + b * c)];
      });
    },
    // RoFormer's sum of |S_j|, all steps of length 1
    spread: (r, speeds) => maths.walk(speeds.map(() => [1, 0]), r, speeds).reduce((sum, [x, y]) => sum + Math.hypot(x, y), 0),
    drop: (h) => Math.max(...h.map(([a, b], i) => Math.hypot(a - (h[i + 1]?.[0] ?? 0), b - (h[i + 1]?.[1] ?? 0)))),
    // Lengths that add to the number of pairs, more of them in the slow pairs or in the fast; the key turned by `turn` positions
    content: (tilt, turn, speeds) => speeds.map((v, i) => {
      const length = 1 + tilt * ((2 * i) / (speeds.length - 1) - 1);
      return [length * Math.cos(turn * v), -length * Math.sin(turn * v)];
    }),
    // The content whose score reaches the bound at distance r: each drop against its own S_j
    touching(r, speeds) {
      const stops = maths.walk(speeds.map(() => [1, 0]), r, speeds), found = [];
      let a = 0, b = 0;
      for (let j = stops.length - 1; j >= 0; j--) {
        const [x, y] = stops[j], size = Math.hypot(x, y);
        found[j] = [(a += x / size), (b -= y / size)];
      }
      const sum = found.reduce((total, z) => total + Math.hypot(...z), 0);
      return found.map(([p, q]) => [(p * stops.length) / sum, (q * stops.length) / sum]);
    },
  };

  const kept = new Map(); // what depends on the distance alone: the turns of every pair, and the sum of |S_j|
  function turns(speeds) {
    const key = `${speeds.length} ${speeds[1]}`, rs = Array.from({length: LAST + 1}, (_, r) => r);
    if (!kept.has(key)) kept.set(key, {sums: rs.map((r) => maths.spread(r, speeds)), all: rs.map((r) => speeds.map((v) => [Math.cos(r * v), Math.sin(r * v)]))});
    return kept.get(key);
  }
  const speeds = (s) => maths.speeds(s.dim, s.base);
  function content(s, v = speeds(s)) {
    const plain = maths.content(s.tilt, s.turn, v);
    if (!s.mix) return plain;
    const other = maths.touching(s.touch, v);
    return plain.map(([a, b], i) => [a + s.mix * (other[i][0] - a), b + s.mix * (other[i][1] - b)]);
  }
  const score = (s, r = s.r) => maths.walk(content(s), r, speeds(s)).at(-1)[0];
  const ceiling = (s) => Math.min(s.dim / 2, maths.drop(content(s)) * turns(speeds(s)).sums[s.r]);

  const start = ({dim, base}) => ({dim, base, r: 0, turn: 0, tilt: 0, mix: 0, touch: FAR});

  function layout(w) {
    const wide = w >= 560, unit = wide ? w / 122 : w / 80, home = {x: 8 * unit, y: 24 + 17 * unit}, foot = home.y + 15 * unit;
    const side = wide ? {x: 82 * unit, y: 26, w: w - 82 * unit - 12} : {x: 12, y: foot + 24, w: w - 24};
    const plot = {x: 34, y: (wide ? foot + 30 : side.y + 172), w: w - 48, h: 170}, end = plot.y + plot.h;
    return {w, wide, unit, home, side, plot, end, height: end + 96, x: (r) => plot.x + (r / LAST) * plot.w, r: (x) => ((x - plot.x) / plot.w) * LAST,
      up: (v) => plot.y + ((68 - v) / 100) * plot.h};
  }
  function controls({s, l, t}) {
    const facts = t("score {s} of at most {c}", {s: fixed(score(s), 1), c: fixed(ceiling(s), 1)});
    return {
      distance: {name: t("relative distance"), min: 0, max: LAST, value: s.r, big: 10, text: `${fixed(s.r, 0)}; ${facts}`, at: l.r, set: (v) => ({r: Math.round(v)})},
      turn: {name: t("the key's own turn"), min: 0, max: LAST, value: s.turn, big: 10, text: `${t("as of {n} positions", {n: s.turn})}; ${facts}`, at: l.r, set: (v) => ({turn: Math.round(v), mix: 0})},
      tilt: {name: t("where the content lies"), min: -1, max: 1, step: 0.1, value: s.tilt, text: `${s.tilt < 0 ? t("in the fast pairs") : s.tilt > 0 ? t("in the slow pairs") : t("alike in all")}, ${fixed(s.tilt, 1)}; ${facts}`,
        at: (x) => ((x - l.side.x) / l.side.w) * 2 - 1, set: (v) => ({tilt: Math.round(v * 10) / 10, mix: 0})},
    };
  }

  function questions({t, data}) {
    const first = start(data), far = {...first, r: FAR}, touched = {...far, mix: 1, touch: FAR}, past = {...touched, r: FAR + 10}, turned = {...first, r: TURNED, turn: TURNED};
    const n = data.dim / 2, v = fixed(score(far), 1);
    return [
      {choices: [["most", t("Almost straight")], ["half", t("Half curled, half straight")], ["none", t("A tangle around home")]], right: "half", then: far,
        ask: t("Each pair takes one step, and the steps lie head to tail; how far they lead to the right is the score, {n} at distance 0. The distance is about to grow to {r}. What will the walk look like?", {n, r: FAR}),
        answer: t("The fast pairs curl up and cancel, the slow ones have hardly turned. The score is {v} of {n}: it does not have to be small far away.", {v, n})},
      {choices: [["all", t("Along it everywhere")], ["some", t("Near at some, far below at others")], ["level", t("Level, it does not fall")]], right: "some", before: {...far, tilt: -1}, then: touched,
        ask: t("The dashed curve is what is often called RoPE's decay. Now a content made to touch it at distance {r}. At other distances, does the score run along the curve?", {r: FAR}),
        answer: t("No more than here and there. Its score is here {v} at distance {r}, the ceiling itself, and {u} under a ceiling of {c} at {f}. A ceiling falls; nothing says that scores fall with it.", {v: fixed(score(touched), 1), r: FAR, u: fixed(score(past), 1), c: fixed(ceiling(past), 1), f: past.r})},
      {choices: [["zero", t("At 0, as before")], ["there", t("At {a}", {a: TURNED})], ["nowhere", t("There is none")]], right: "there", before: {...first, mix: 0}, then: turned,
        ask: t("Content alike in all pairs again, but the weights turn the key as {a} positions would. Where will the score be highest?", {a: TURNED}),
        answer: t("At {a}: there every step points east again, and the score is {n}. Weights can put the peak at any distance they like.", {a: TURNED, n})},
    ];
  }
  const free = ({t}) => [t("Drag the distance, the key's own turn, and where the content lies. How small can you keep the score at distance 0?"), button("touch", t("Touch the ceiling here"))];
  const jobs = (job, s) => ({mix: 1, touch: Math.max(1, s.r), tilt: 0, turn: 0});

  function steps({s, e, t, l, still}) {
    const {unit, home} = l, v = speeds(s), stops = maths.walk(content(e, v), e.r, v).map(([x, y]) => [home.x + x * unit, home.y - y * unit]), end = stops.at(-1);
    return unspoken(
      line("axis", 0, home.y, home.x + 66 * unit, home.y), [0, 32, 64].map((x) => [line("tick", home.x + x * unit, home.y - 4, home.x + x * unit, home.y + 4), text("tickname", home.x + x * unit, home.y + 18, x)]),
      line("reach", home.x, home.y, end[0], home.y), line("drop", end[0], end[1], end[0], home.y),
      draw("steps", path([[home.x, home.y], ...stops])), h("g", {}, stops.map(([x, y], i) => circle(i < 16 ? "stop fast" : i < 48 ? "stop" : "stop slow", x, y, 1.8))),
      rect("home", home.x - 4, home.y - 4, 8, 8, 1), circle("arrived", ...end, 5.5),
      text(`value halo ${end[0] > home.x + 50 * unit ? "end" : "start"}`, end[0] + (end[0] > home.x + 50 * unit ? -8 : 8), home.y + (end[1] > home.y ? -10 : 34), fixed(score(s), 1)),
      text("name start", 2, 16, t("the walk: {n} steps", {n: v.length})));
  }
  function weights({s, e, t, l, c}) {
    const {x, y, w} = l.side, sizes = content(e).map((z) => Math.hypot(...z)), step = w / sizes.length, foot = y + 92;
    return [
      unspoken(text("name start", x, y - 6, t("content of the pairs")),
        draw("bars", sizes.map((size, i) => `M${one(x + (i + 0.5) * step)} ${foot}v${one(-Math.min(84, size * 40))}`).join(""), {"stroke-width": step * 0.7}),
        text("small start", x, foot + 16, t("fast")), text("small end", x + w, foot + 16, t("slow"))),
      rail("tilt", c.tilt, {x, y: foot + 42, width: w}),
    ];
  }
  function plot({s, e, t, l, c, still}) {
    const v = speeds(s), hh = content(e, v), top = s.dim / 2, drop = maths.drop(hh), {sums, all} = turns(v), rs = Array.from({length: LAST + 1}, (_, r) => r);
    const value = score(s), R = l.x(e.r), T = l.x(e.turn), over = sums.map((sum) => Math.min(top, drop * sum)), bare = Math.max(...over.slice(40)) >= top, late = R > l.w - 70;
    return [
      unspoken(
        [0, 64].map((m) => [line("axis", l.plot.x, l.up(m), l.plot.x + l.plot.w, l.up(m)), text("tickname end", l.plot.x - 6, l.up(m) + 5, m)]),
        [0, 50, 100, 150, 200, 250].filter((r) => l.wide || r % 100 === 0).map((r) => text("tickname", l.x(r), l.up(0) + 18, r)),
        text("name start halo", 2, l.plot.y - 8, t("score")), text("name end halo", l.plot.x + l.plot.w, l.plot.y - 8, bare ? t("here the trivial bound is lower: {n}", {n: top}) : t("ceiling, dashed")),
        draw("over", path(rs.map((r) => [l.x(r), l.up(over[r])]))), draw("curve", path(rs.map((r) => [l.x(r), l.up(all[r].reduce((sum, [c, s], i) => sum + hh[i][0] * c - hh[i][1] * s, 0))]))),
        line("here", R, l.up(64), R, l.end + 6), circle("now", R, l.up(score({...s, ...e})), 6), text(`value halo ${late ? "end" : "start"}`, R + (late ? -11 : 11), l.up(value) + (value > 52 ? 22 : -8), fixed(value, 1))),
      tag("turn", c.turn, {x: T, y: l.end + 50, up: true, width: l.wide ? 190 : 160, reach: 4, within: l.w, words: t("the key's own turn {n}", {n: s.turn})}, unspoken(line("own", T, l.up(0), T, l.end + 46))),
      tag("distance", c.distance, {x: R, y: l.end + 6, up: true, width: l.wide ? 116 : 104, reach: 4, within: l.w, words: t("distance {r}", {r: fixed(s.r, 0)})}),
    ];
  }
  function view(v) {
    const {s, t, l} = v, label = t("A walk of {n} steps, one for each pair, at distance {r}; the content of the pairs; and the score against distance under its ceiling.", {n: s.dim / 2, r: s.r});
    return [picture("walk", l, label, steps(v), weights(v), plot(v))];
  }
  define("walk", {maths, start, still: () => ({r: FAR}), layout, controls, questions, free, jobs, view, eased: ["r", "turn", "tilt", "mix"]});
})(globalThis.ropescenes);
