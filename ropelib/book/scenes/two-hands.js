// Two words on a strip, two hands on a dial: only their distance counts, and the nearest need not score highest.
(function (scenes) {
  const {h, TURN, clamp, near, degrees, fixed, at, arc, sector, path, tip, line, circle, rect, text, draw, hand, picture, unspoken} = scenes;
  const {handle, knob, tag, button, question, asking, define} = scenes;
  const PLACES = 20, CARRY = 9; // squares of the strip; places by which the first question moves both words

  // ---- a score is the inner product of two hands, each turned by its own place
  const maths = {
    turn: ([x, y], a) => [x * Math.cos(a) - y * Math.sin(a), x * Math.sin(a) + y * Math.cos(a)],
    score(q, k, m, n, theta) {
      const [a, b] = maths.turn(q, m * theta), [c, d] = maths.turn(k, n * theta);
      return a * c + b * d;
    },
  };
  const angle = ([x, y]) => Math.atan2(y, x);
  const key = (s) => [s.long * Math.cos(s.phi), s.long * Math.sin(s.phi)];
  const score = (s, m = s.m, n = s.n) => maths.score(s.q, key(s), m, n, s.theta);
  const most = (s) => Math.hypot(...s.q) * s.long;
  const known = (s) => new Set(s.seen.map(([m, n]) => m - n)).size >= 7; // enough dots: the curve may be drawn
  function highest(s) {
    const all = Array.from({length: 2 * PLACES - 1}, (_, i) => i + 1 - PLACES);
    return all.reduce((best, r) => (score(s, r, 0) > score(s, best, 0) + 1e-9 ? r : best), 0);
  }
  const visit = (s, m, n) => ({m, n, seen: s.seen.some(([a, b]) => a === m && b === n) ? s.seen : [...s.seen, [m, n]]});

  function start({q, k, theta, query: m, key: n}) {
    return {q, theta, long: Math.hypot(...k), phi: angle(k), m, n, guess: 0, moved: false, seen: [[m, n]]};
  }

  function layout(w) {
    const wide = w >= 560, pad = wide ? 12 : 4, cell = (w - 2 * pad) / PLACES, high = clamp(cell - 3, 22, 30), top = 44, foot = top + high;
    const bracket = foot + 54, R = wide ? clamp(w * 0.165, 92, 114) : 104, head = bracket + 30;
    const cx = wide ? R + 44 : w / 2, cy = head + R + 26, x = wide ? cx + R + 76 : 30, y = wide ? head + 22 : cy + R + 84;
    const plot = {x, y, w: w - x - 14, h: wide ? 2 * R + 2 : 176};
    return {w, wide, cell, high, top, foot, bracket, R, cx, cy, plot, height: plot.y + plot.h + 50,
      at: (p) => pad + (p + 0.5) * cell, place: (px) => (px - pad) / cell - 0.5,
      r: (d) => plot.x + ((d + PLACES - 1) / (2 * PLACES - 2)) * plot.w};
  }
  const scale = (s, {plot}) => plot.h / 2 / (1.12 * most(s));
  const height = (s, l) => (value) => l.plot.y + l.plot.h / 2 - value * scale(s, l);

  function controls({s, l, t}) {
    const {m, n} = s, last = PLACES - 1, low = Math.min(m, n), facts = t("distance {r}, score {s}", {r: fixed(m - n, 0), s: fixed(score(s), 2)});
    const word = (name, at, set) => ({name, min: 0, max: last, value: at, text: `${t("position {m}", {m: at})}; ${facts}`, at: l.place, set});
    const turned = degrees(near(s.phi));
    return {
      query: word(t("query"), m, (v) => visit(s, Math.round(v), n)),
      key: word(t("key"), n, (v) => visit(s, m, Math.round(v))),
      both: {name: t("both words"), min: 0, max: last - Math.abs(m - n), value: low, text: `${t("query {m}, key {n}", {m, n})}; ${facts}`,
        at: l.place, set: (v) => visit(s, m + Math.round(v) - low, n + Math.round(v) - low)},
      content: {name: t("what the key says"), min: -180, max: 180, wrap: true, value: turned, step: 5, big: 6, text: `${fixed(turned, 0)}°; ${facts}`,
        at: (x, y) => degrees(Math.atan2(l.cy - y, x - l.cx)), set: (v) => ({phi: s.phi + near((Math.round(v) * TURN) / 360 - s.phi)})},
      guess: {name: t("your guess"), min: -most(s), max: most(s), value: s.guess, step: 0.1, big: 10, upright: true, text: fixed(s.guess, 1),
        at: (x, y) => (l.plot.y + l.plot.h / 2 - y) / scale(s, l), set: (v) => ({guess: Math.round(v * 10) / 10, moved: true})},
    };
  }

  function questions({s, t, data}) {
    const {alone} = data, first = start(data), m = data.query + CARRY, n = data.key + CARRY, was = data.query - data.key, to = alone ? data.key : n;
    const before = fixed(score(first), 2), moved = score(first, m, to), a = degrees(CARRY * s.theta), beside = score(first, m, m - 1), away = {phi: first.phi, moved: false, guess: 0};
    const said = (value) => (s.moved ? t(Math.abs(s.guess - value) < 0.3 ? "You said {you}: well seen." : "You said {you}.", {you: fixed(s.guess, 1)}) : null);
    return [
      {guess: m - to, value: moved, then: {...visit(s, m, to), phi: first.phi}, said: said(moved),
        ask: alone ? t("The query alone is about to move nine places on, to {m}; the key stays at {n}. Where will the score be? Move the ? up or down.", {m, n: to})
          : t("The bracket is about to carry both words nine places on, to {m} and {n}. Where will the score be? Move the ? up or down.", {m, n: to}),
        answer: alone ? t("It is {now}, and was {before}. Only the query turned, by {a}°, and the angle between the hands changed by as much.", {now: fixed(moved, 2), before, a})
          : t("It is {now}, exactly as before. Each hand turned by {a}°, so the angle between them stayed. Only the distance counts.", {now: fixed(moved, 2), a})},
      {guess: 1, value: beside, before: {...visit(s, m, n), ...away}, then: {...visit(s, m, m - 1), phi: first.phi}, said: said(beside),
        ask: t("The key now stands at {n}, distance {was} from the query, as at the start. This time it moves alone, right beside the query: {was} becomes 1. Will the score rise or fall? Move the ?.", {was, n}),
        answer: t("It falls, from {before} to {now}. Nearer is not higher: where the score peaks is up to the content.", {before, now: fixed(beside, 2)})},
    ];
  }
  function free({s, t}) {
    if (!known(s)) return [t("Drag the query, the key, the bracket below them, or the ring on the dial. Each pair you visit leaves a dot."), button("sweep", t("Visit every square"))];
    return [t("{k} pairs, one curve. It is highest at distance {r}. Turn the ring and the curve slides: content says where the peak is, position only how fast the score swings.", {k: s.seen.length, r: fixed(highest(s), 0)})];
  }
  const jobs = (job, s) => ({seen: [...s.seen, ...Array.from({length: PLACES}, (_, n) => [s.m, n])]});

  function strip({s, e, t, l, c}) {
    const size = l.cell - Math.min(l.cell * 0.1, 3), [low, high] = [Math.min(s.m, s.n), Math.max(s.m, s.n)], one = s.m === s.n;
    const squares = Array.from({length: PLACES}, (_, p) => h("g", {},
      rect(`square${p > low && p <= high ? " step" : ""}`, l.at(p) - size / 2, l.top, size, l.high, 3),
      l.cell > 25 || p % 5 === 0 ? text("place", l.at(p), l.top + l.high / 2 + 4.5, p) : null));
    const word = (id, p, up, words) => tag(id, c[id], {x: l.at(p), y: up ? l.foot + 10 : 6, up, width: l.wide ? 92 : 84, reach: up ? 9 : 11, within: l.w, words},
      rect("mine", l.at(p) - size / 2, one && up ? l.top + l.high / 2 : l.top, size, one ? l.high / 2 : l.high, 3));
    const [a, b] = [l.at(Math.min(e.m, e.n)), l.at(Math.max(e.m, e.n))], half = 68, mid = clamp((a + b) / 2, half + 1, l.w - half - 1), y = l.bracket;
    const left = Math.min(a, mid - half) - 2, right = Math.max(b, mid + half) + 2;
    return [
      unspoken(squares),
      handle("both", c.both, [left, y - 10, right - left, 40],
        draw("bracket", `M${a} ${l.foot + 4}V${y + 10}H${b}V${l.foot + 4}`), rect("pill", mid - half, y - 4, 2 * half, 28, 14),
        draw("arrows", `M${mid - half + 14} ${y + 5}l-5 5l5 5M${mid + half - 14} ${y + 5}l5 5l-5 5`),
        text("pillwords", mid, y + 15, t("distance {r}", {r: fixed(s.m - s.n, 0)}))),
      word("key", e.n, true, t("key {n}", {n: s.n})),
      word("query", e.m, false, t("query {m}", {m: s.m})),
    ];
  }

  function dial({s, e, t, l, c}) {
    const {cx, cy, R} = l, base = angle(s.q), Q = base + e.m * s.theta, K = e.phi + e.n * s.theta, far = (R * 0.84) / s.long;
    const content = near(base - e.phi), bend = K + content, apart = e.m - e.n, side = Math.sign(apart), rings = [R * 0.52, R * 0.39];
    const spoke = (name, a, from, to) => line(name, ...at(cx, cy, a, from), ...at(cx, cy, a, to));
    const head = (name, a, r, way) => h("polygon", {class: name, points: tip(...at(cx, cy, a, r), a + way * (Math.PI / 2 - 6 / r), 10)});
    const letter = (name, a, r, words) => { const [x, y] = at(cx, cy, a, r); return text(`letter halo ${name}`, x, y + 5, words); };
    const way = (name, from, to, r, shown) => [draw(`way ${name}`, arc(cx, cy, from, to, r)), shown ? head(`end ${name}`, to, r, 1) : null];
    const beads = Array.from({length: Math.ceil(Math.abs(apart) - 0.02)}, (_, i) =>
      draw("bead", arc(cx, cy, bend + side * s.theta * (i + 0.1), bend + side * s.theta * Math.min(i + 0.9, Math.abs(apart)), rings[0])));
    return [
      unspoken(circle("face", cx, cy, R), Array.from({length: 24}, (_, i) => spoke("tick", (i * TURN) / 24, R, R - (i % 6 ? 5 : 9))),
        way("key", e.phi, K, R + 14, e.n > 0.3), way("query", base, Q, R + 22, e.m > 0.3), spoke("zero query", base, 0, R + 22), spoke("zero key", e.phi, 0, R),
        draw("between", sector(cx, cy, K, K + near(Q - K), R * 0.3)),
        draw("content", arc(cx, cy, K, bend, rings[1])), Math.abs(content) > 0.15 ? head("end content", bend, rings[1], Math.sign(content)) : null,
        spoke("bend", bend, rings[1] - 4, rings[0] + 6), h("g", {}, beads),
        hand("key", cx, cy, K, s.long * far), letter("key", K, s.long * far + 12, "k"),
        hand("query", cx, cy, Q, Math.hypot(...s.q) * far), letter("query", Q, Math.hypot(...s.q) * far + 12, "q"),
        circle("hub", cx, cy, 4), text("name", cx, cy + R + 41, t("{a}° for each place", {a: degrees(s.theta)}))),
      knob("content", c.content, ...at(cx, cy, e.phi, R), 9),
    ];
  }

  function plot(v) {
    const {s, e, t, l, c, still} = v, {x, y, w, h: high} = l.plot, up = height(s, l), last = PLACES - 1, shown = {...s, phi: e.phi}, right = x + w, foot = y + high;
    const curve = Array.from({length: 153}, (_, i) => -last + (i * 2 * last) / 152).map((r) => [l.r(r), up(score(shown, r, 0))]);
    const now = [l.r(e.m - e.n), up(score(shown, e.m, e.n))], value = score(s), ticks = l.wide ? [-15, -10, -5, 0, 5, 10, 15] : [-15, 0, 15];
    const asked = question(v), open = !still && asking(v), gx = asked ? l.r(asked.guess) : 0, gy = up(s.guess), late = now[0] > right - 95;
    const same = s.seen.filter(([m, n]) => m - n === s.m - s.n).length;
    return [
      unspoken(
        line("axis", x, up(0), right, up(0)), line("nearest", l.r(0), y, l.r(0), foot), text("name", l.r(0), y - 8, t("distance {r}", {r: 0})),
        [-3, 0, 3].map((mark) => text("tickname end", x - 7, up((mark / 3) * most(s)) + 5, fixed((mark / 3) * most(s), 0))),
        ticks.map((r) => [line("tick", l.r(r), foot, l.r(r), foot + 4), text("tickname", l.r(r), foot + 18, fixed(r, 0))]),
        text("name start", x - 24, y - 8, t("score")), text("name end", right, foot + 38, t("distance (query − key)")),
        draw(`curve${still ? " answer" : asked || !known(s) ? " unknown" : ""}`, path(curve)),
        h("g", {}, s.seen.map(([m, n]) => circle("visited", l.r(m - n), up(score(shown, m, n)), 4.5))),
        open ? line("goal", gx, y, gx, foot) : null, circle("now", ...now, 7),
        asked && !open && !still && s.moved ? [line("said", gx, gy, gx, up(asked.value)), circle("said", gx, gy, 7)] : null,
        text(`value halo ${late ? "end" : "start"}`, now[0] + (late ? -13 : 13), now[1] + (value > 0.63 * most(s) ? 18 : value < -0.63 * most(s) ? -8 : 5), fixed(value, 2)),
        !asked && same > 1 ? text("pairs halo end", right, y - 8, t("{k} pairs, one dot", {k: same})) : null),
      open ? handle("guess", c.guess, [gx - 24, gy - 24, 48, 48], circle("guessdot", gx, gy, 14),
        draw("arrows", `M${gx - 5} ${gy - 20}l5 -5l5 5M${gx - 5} ${gy + 20}l5 5l5 -5`), text("question", gx, gy + 6, "?")) : null,
    ];
  }

  // The same score as a sum, each part in the colour that it has on the dial
  function sum({s, t}) {
    const r = s.m - s.n, content = degrees(near(angle(s.q) - s.phi)), step = degrees(s.theta);
    const part = (name, words, below) => h("span", {class: `part ${name}`}, h("span", {}, words), h("small", {}, below)), bit = (words) => h("span", {}, words);
    return h("p", {class: "sum"},
      h("span", {class: "side"}, bit(`${fixed(Math.hypot(...s.q), 1)} × ${fixed(s.long, 1)} × cos(`), part("content", `${fixed(content, 0)}°`, t("content")),
        bit("+"), part("position", `${r < 0 ? `(${fixed(r, 0)})` : r} × ${step}°`, t("position")), bit(")")),
      h("span", {class: "side"}, bit(`= ${fixed(most(s), 0)} × cos(`), part("between", `${fixed(content + r * step, 0)}°`, t("angle")),
        bit(") ="), part("score", fixed(score(s), 2), t("score"))));
  }

  function view(v) {
    const {s: {m, n}, t, l} = v;
    const label = t("A strip of {N} squares with a query at {m} and a key at {n}; a dial with their two hands; a plot of score against distance.", {N: PLACES, m, n});
    return [picture("two-hands", l, label, strip(v), dial(v), plot(v)), sum(v)];
  }
  define("two-hands", {maths, start, still: ({query: m, key: n}) => ({m: m + CARRY, n: n + CARRY, seen: [[m, n], [m + CARRY, n + CARRY], [m + CARRY, m + CARRY - 1], [m, m + 2], [m + 3, n - 3]].filter(([, key]) => key >= 0)}), layout, controls, questions, free, jobs, view, eased: ["m", "n", "phi"]});
})(globalThis.ropescenes);
