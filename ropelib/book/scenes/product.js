// Two complex numbers and their product: with the conjugate on the key the angles subtract, without it they add.
(function (scenes) {
  const {h, TURN, near, degrees, fixed, at, arc, sector, tip, line, circle, text, draw, hand, gauges, picture, unspoken, knob, rail, choice, define} = scenes;
  const SHIFT = 8; // positions by which the questions move both words

  const maths = {
    turn: ([x, y], a) => [x * Math.cos(a) - y * Math.sin(a), x * Math.sin(a) + y * Math.cos(a)],
    product: ([a, b], [c, d], conjugate) => (conjugate ? [a * c + b * d, b * c - a * d] : [a * c - b * d, a * d + b * c]),
  };
  const vector = (size, angle) => [size * Math.cos(angle), size * Math.sin(angle)];
  const turned = (s) => [maths.turn(vector(s.qs, s.qa), (s.m + s.shift) * s.theta), maths.turn(vector(s.ks, s.ka), (s.n + s.shift) * s.theta)];
  const bar = () => h("tspan", {class: "bar"}, "k"); // a line above: the conjugate
  const product = (s) => maths.product(...turned(s), s.conjugate);

  const start = ({q, k, theta, m, n}) => ({qs: Math.hypot(...q), qa: Math.atan2(q[1], q[0]), ks: Math.hypot(...k), ka: Math.atan2(k[1], k[0]), theta, m, n, shift: 0, conjugate: true});

  function layout(w) {
    const wide = w >= 560, R = wide ? 118 : Math.min(132, (w - 60) / 2), left = {x: wide ? w * 0.25 : w / 2, y: R + 34}, right = {x: wide ? w * 0.75 : w / 2, y: wide ? R + 34 : 3 * R + 110};
    const foot = right.y + R + 30, slide = foot + 44;
    return {w, wide, R, left, right, foot, slide, height: slide + 28, unit: R / 1.5};
  }
  function controls({s, l, t}) {
    const p = product(s), facts = t("score {v}", {v: fixed(p[0], 2)});
    const direction = (angle, name, key, place) => {
      const seen = near(angle + place * s.theta);
      return {name, min: -180, max: 180, wrap: true, value: degrees(seen), step: 5, big: 6, text: `${fixed(degrees(seen), 0)}°; ${facts}`,
        at: (x, y) => degrees(Math.atan2(l.left.y - y, x - l.left.x)), set: (v) => ({[key]: s[key] + near((Math.round(v) * TURN) / 360 - seen)})};
    };
    return {
      query: direction(s.qa, t("query"), "qa", s.m + s.shift), key: direction(s.ka, t("key"), "ka", s.n + s.shift),
      shift: {name: t("both moved by"), min: 0, max: 24, value: s.shift, big: 4, text: `${t("positions {m} and {n}", {m: s.m + s.shift, n: s.n + s.shift})}; ${facts}`,
        at: (x) => ((x - 16) / (l.w - 32)) * 24, set: (v) => ({shift: Math.round(v)})},
    };
  }
  function questions({t, data}) {
    const first = start(data), moved = {...first, shift: SHIFT}, bare = {...moved, conjugate: false}, v = (s) => fixed(product(s)[0], 2);
    const choices = [["stays", t("It stays")], ["once", t("It turns as they do")], ["twice", t("It turns twice as far")]];
    const a = degrees(SHIFT * data.theta);
    return [
      {choices, right: "stays", then: moved,
        ask: t("The violet arrow is the query times the conjugate of the key. Both words are about to move {n} positions on, so both arrows turn by {a}°. What does the product do?", {n: SHIFT, a}),
        answer: t("It stays. The conjugate turns the key's angle round, so the product has the difference of the angles, and what both gained cancels. Its real part is the score, {v} before and after.", {v: v(moved)})},
      {choices, right: "twice", before: {...first, conjugate: false}, then: bare,
        ask: t("Now without the conjugate, as a plain product of complex numbers gives it. Again both turn by {a}°. And the product?", {a}),
        answer: t("It turns by twice {a}°: angles add. The real part goes from {u} to {v}, though the words stand as far apart as before.", {a, u: v({...first, conjugate: false}), v: v(bare)})},
    ];
  }
  const free = ({t}) => [t("Turn the query and the key, move both, and switch “conjugate on the key” off. Where must the key point for both products to agree?")];
  const jobs = (job, s) => ({conjugate: !s.conjugate});

  function plane({x, y}, R, marks) {
    return [circle("face", x, y, R), line("axis", x - R - 12, y, x + R + 12, y), line("axis", x, y - R - 12, x, y + R + 12), marks];
  }
  function factors({s, e, t, l, c}) {
    const {x, y} = l.left, [q, k] = turned(e), Q = Math.atan2(q[1], q[0]), K = Math.atan2(k[1], k[0]), rim = l.R + 4;
    // Hands may coincide, their letters may not: the key's and its conjugate's keep off the real axis, the query's off their ring
    const aside = (s.conjugate ? 12 / l.unit : 0) * (Math.sin(K) < 0 ? -1 : 1) * (Math.cos(K) < 0 ? -1 : 1);
    const letter = (name, angle, r, words) => { const [px, py] = at(x, y, angle, r); return text(`letter halo ${name}`, px, py + 5, words); };
    return [
      unspoken(plane(l.left, l.R, null),
        draw("angle query", arc(x, y, 0, Q, l.R * 0.3)), draw("angle key", arc(x, y, 0, K, l.R * 0.42)),
        s.conjugate ? [line("mirror", ...at(x, y, K, s.ks * l.unit), ...at(x, y, -K, s.ks * l.unit)), h("g", {class: "ghostly"}, hand("key", x, y, -K, s.ks * l.unit)), letter("key", -K - aside, s.ks * l.unit + 15, bar())] : null,
        hand("key", x, y, K, s.ks * l.unit), hand("query", x, y, Q, s.qs * l.unit), letter("query", Q + 16 / (l.unit * 0.6), s.qs * l.unit * 0.6, "q"), letter("key", K + aside, s.ks * l.unit + 14, "k"),
        text("name", x, 16, t("query and key, turned"))),
      knob("key", c.key, ...at(x, y, K, rim), 9), knob("query", c.query, ...at(x, y, Q, rim), 9),
    ];
  }
  function result({s, e, t, l}) {
    const {x, y} = l.right, area = (l.R * 0.8) / (s.qs * s.ks), z = product({...e, conjugate: s.conjugate}), [q, k] = turned(e), Q = Math.atan2(q[1], q[0]), K = Math.atan2(k[1], k[0]) * (s.conjugate ? -1 : 1);
    const px = x + z[0] * area, py = y - z[1] * area, angle = Math.atan2(z[1], z[0]), r = Math.hypot(...z) * area, [lx, ly] = at(x, y, angle, r + 18);
    return unspoken(plane(l.right, l.R, null),
      draw("angle query", arc(x, y, 0, Q, l.R * 0.28)), draw("angle key", arc(x, y, Q, Q + K, l.R * 0.28)),
      draw("between", sector(x, y, 0, angle, l.R * 0.22)),
      line("real", x, y, px, y), line("drop", px, py, px, y), hand("product", x, y, angle, r), text("letter halo product", lx, ly + 5, "q ", s.conjugate ? bar() : "k"),
      circle("score", px, y, 5), text("value halo", px, y + (z[1] > 0 ? 22 : -12), fixed(product(s)[0], 2)),
      text("name", x, l.right.y - l.R - 18, s.conjugate ? t("query times conjugate of the key") : t("query times key")));
  }
  function view(v) {
    const {s, t, l, c} = v, z = product(s), label = t("On the left a query at {m} and a key at {n} as arrows; on the right their product, whose real part is the score, {v}.", {m: s.m + s.shift, n: s.n + s.shift, v: fixed(z[0], 2)});
    const was = product({...s, shift: 0});
    return [picture("product", l, label, factors(v), result(v),
      rail("shift", c.shift, {x: 16, y: l.slide, width: l.w - 32, words: t("query at {m}, key at {n}: both moved by {r}", {m: s.m + s.shift, n: s.n + s.shift, r: s.shift})})),
      h("p", {class: "choices"}, choice("conjugate", t("conjugate on the key"), s.conjugate)),
      gauges([[fixed(z[0], 2), t("real part: the score"), s.shift ? t("({v} before moving)", {v: fixed(was[0], 2)}) : null, Math.abs(z[0] - was[0]) > 1e-9],
        [`${fixed(degrees(near(Math.atan2(z[1], z[0]))), 0)}°`, s.conjugate ? t("angle of the product: the difference") : t("angle of the product: the sum")]])];
  }
  define("product", {maths, start, still: () => ({shift: SHIFT}), layout, controls, questions, free, jobs, view, eased: ["qa", "ka", "shift"]});
})(globalThis.ropescenes);
