// Eight seats, four couples: the weights seat them, the code turns pairs of seats. Only when both mean the same pairs is it a dance.
(function (scenes) {
  const {h, fixed, path, line, circle, rect, text, draw, gauges, picture, unspoken, tag, rail, button, choice, define} = scenes;
  const LAST = 24, LAYOUTS = ["interleaved", "half"], COUPLES = "ABCD";

  const maths = {
    // The seat of one of a couple: neighbours, or half a row apart
    seat: (layout, couple, part, pairs) => (layout === "half" ? couple + part * pairs : 2 * couple + part),
    // A vector of channels from couples [x, y], as weights of a layout put it
    arrange(couples, layout) {
      const out = [];
      couples.forEach((xy, i) => xy.forEach((value, part) => { out[maths.seat(layout, i, part, couples.length)] = value; }));
      return out;
    },
    // What code of a layout makes of a vector at position m
    rotate(x, m, layout, speeds) {
      const out = [];
      speeds.forEach((v, i) => {
        const [a, b] = [0, 1].map((part) => maths.seat(layout, i, part, speeds.length)), c = Math.cos(m * v), s = Math.sin(m * v);
        out[a] = x[a] * c - x[b] * s;
        out[b] = x[a] * s + x[b] * c;
      });
      return out;
    },
    dot: (x, y) => x.reduce((sum, value, i) => sum + value * y[i], 0),
    // A head that learned to look back: its query points where its angles say, its key is the query of `back` positions on
    head: (angles, back, speeds, layout) => ["query", "key"].map((side) => maths.arrange(angles.map((a, i) => {
      const at = a + (side === "key" ? back * speeds[i] : 0);
      return [Math.cos(at), Math.sin(at)];
    }), layout)),
    score(angles, back, speeds, weights, code, m, n) {
      const [q, k] = maths.head(angles, back, speeds, weights);
      return maths.dot(maths.rotate(q, m, code, speeds), maths.rotate(k, n, code, speeds));
    },
  };
  const angles = (s) => s.heads[s.which];
  const score = (s, m, n = 0, code = s.code, weights = s.weights) => maths.score(angles(s), s.back, s.speeds, weights, code, m, n);
  const peak = (s) => Array.from({length: LAST + 1}, (_, r) => r).reduce((best, r) => (score(s, r) > score(s, best) + 1e-9 ? r : best), 0);
  const slots = (layout) => Array.from({length: 8}, (_, i) => maths.seat(layout, i >> 1, i & 1, 4));
  const put = (change) => (change.weights ? {...change, slots: slots(change.weights)} : change);

  const start = ({speeds, heads, back}) => ({speeds, heads, back, which: 0, code: "interleaved", weights: "interleaved", slots: slots("interleaved"), r: back, shift: 0});

  function layout(w) {
    const wide = w >= 560, pitch = (w - 8) / 8, r = wide ? 19 : 15, seats = 108, plot = {x: 34, y: seats + 84, w: w - 48, h: 150}, end = plot.y + plot.h, slide = end + 94;
    return {w, wide, pitch, r, seats, plot, end, slide, height: slide + 26, seat: (i) => 4 + (i + 0.5) * pitch,
      x: (d) => plot.x + (d / LAST) * plot.w, r_: (x) => ((x - plot.x) / plot.w) * LAST, up: (v) => plot.y + ((4.3 - v) / 8.6) * plot.h};
  }
  function controls({s, l, t}) {
    const facts = t("score {v}", {v: fixed(score(s, s.r + s.shift, s.shift), 2)});
    return {
      distance: {name: t("relative distance"), min: 0, max: LAST, value: s.r, big: 5, text: `${fixed(s.r, 0)}; ${facts}`, at: l.r_, set: (v) => ({r: Math.round(v)})},
      shift: {name: t("both moved by"), min: 0, max: 1000, step: 10, big: 10, value: s.shift, text: `${s.shift}; ${facts}`, at: (x) => ((x - l.plot.x) / l.plot.w) * 1000, set: (v) => ({shift: Math.round(v)})},
    };
  }
  function questions({t, data}) {
    const first = start(data), both = put({...first, code: "half", weights: "half"}), code = {...first, code: "half"};
    return [
      {choices: [["same", t("It stays as it is")], ["other", t("Its peak goes elsewhere")], ["flat", t("It goes flat")]], right: "same", then: both,
        ask: t("Four couples sit in eight channels, partners side by side; the arcs are the pairs that the code turns. This head looks {b} positions back. Now weights and code both go over to the half layout. What becomes of the curve?", {b: data.back}),
        answer: t("Nothing. The couples changed seats and the arcs went along: the same partners dance. Two layouts, one model.")},
      {choices: [["length", t("The length")], ["shift", t("Moving both words")], ["peak", t("Only the head's peak")]], right: "peak", before: first, then: {...code, shift: 500},
        ask: t("Weights stay interleaved, but the code now turns half pairs. Which of these will notice: the vector's length, the score when both words move on, or where the head looks?"),
        answer: t("The code still rotates, only strangers: lengths stay, and moving both by 500 changes nothing. But the head that looked {b} back now looks {p} back. Cheap tests pass; a reference would have seen it.", {b: data.back, p: peak(code)})},
    ];
  }
  const free = ({t}) => [t("Switch code and weights apart, and take other heads: where does each look under the wrong layout?"), button("next-head", t("Another head"))];
  function jobs(job, s) {
    if (job === "next-head") return {which: (s.which + 1) % s.heads.length};
    const [side, layout] = job.split(":");
    return put({[side]: layout});
  }

  function seats({s, e, t, l}) {
    const arcs = s.speeds.map((_, i) => {
      const [a, b] = [0, 1].map((part) => l.seat(maths.seat(s.code, i, part, 4))), y = l.seats - l.r - 6, high = Math.min(62, 16 + (b - a) * 0.16 + i * 5);
      return draw(`arc pair${i}`, `M${a} ${y}C${a} ${y - high * 1.3} ${b} ${y - high * 1.3} ${b} ${y}`);
    });
    const dancers = Array.from({length: 8}, (_, i) => {
      const couple = i >> 1, x = l.seat(e.slots[i]), y = l.seats + Math.sin(((e.slots[i] % 1) + 1) * Math.PI) * 14;
      return h("g", {class: `dancer pair${couple}`}, circle("body", x, y, l.r), text("who", x, y + 5, COUPLES[couple] + (i & 1 ? "′" : "")));
    });
    return unspoken(text("name start", 2, 16, t("pairs that the code turns, fastest first")), arcs,
      Array.from({length: 8}, (_, i) => [rect("seat", l.seat(i) - l.r - 3, l.seats - l.r - 3, 2 * l.r + 6, 2 * l.r + 6, 6), text("place", l.seat(i), l.seats + l.r + 19, i)]), dancers,
      text("name end", l.w - 2, l.seats + l.r + 38, t("channels of the weights")));
  }
  function plot({s, e, t, l, c}) {
    const rs = Array.from({length: LAST + 1}, (_, r) => r), curve = (code, weights) => rs.map((r) => [l.x(r), l.up(score(s, r, 0, code, weights))]), right = s.code === s.weights;
    const R = l.x(e.r), value = score(s, s.r + s.shift, s.shift), p = peak(s), left = R > l.plot.x + 60; // of the point there is room for its value
    return [
      unspoken(
        [-4, 0, 4].map((v) => [line("axis", l.plot.x, l.up(v), l.plot.x + l.plot.w, l.up(v)), text("tickname end", l.plot.x - 6, l.up(v) + 5, fixed(v, 0))]),
        [0, 5, 10, 15, 20].map((r) => (Math.abs(r - e.r) > 0.7 ? text("tickname", l.x(r), l.end + 18, r) : null)), text("name start halo", 2, l.plot.y - 10, t("score")),
        draw("old", path(curve("half", "half"))), line(`peak ${right ? "right" : "wrong"}`, l.x(p), l.up(-4), l.x(p), l.up(4)),
        draw(`curve ${right ? "right" : "wrong"}`, path(curve(s.code, s.weights))), rs.map((r) => circle(`bit ${right ? "right" : "wrong"}`, l.x(r), l.up(score(s, r)), 2.8)),
        text(`halo ${p > 16 ? "end" : "start"} ${right ? "good" : "bad"}`, l.x(p) + (p > 16 ? -8 : 8), l.plot.y - 6, t("looks {r} back", {r: p})),
        line("here", R, l.up(-4), R, l.end + 26), circle("now", R, l.up(score(s, e.r)), 6), text(`value halo ${left ? "end" : "start"}`, R + (left ? -11 : 11), l.up(value) + (left ? -3 : 18), fixed(value, 2))),
      tag("distance", c.distance, {x: R, y: l.end + 26, up: true, width: 108, reach: 4, within: l.w, words: t("distance {r}", {r: fixed(s.r, 0)})}),
      rail("shift", c.shift, {x: l.plot.x, y: l.slide, width: l.plot.w, words: t("both moved by {n}", {n: s.shift})}),
    ];
  }
  const named = (t) => ({interleaved: t("interleaved"), half: t("half")});
  function switches({s, t}) {
    const names = named(t);
    return [["weights", t("weights")], ["code", t("code")]].map(([side, words]) =>
      h("p", {class: "choices", role: "group", "aria-label": words}, h("b", {}, words), LAYOUTS.map((layout) => choice(`${side}:${layout}`, names[layout], s[side] === layout))));
  }
  function view(v) {
    const {s, t, l} = v, [q] = maths.head(angles(s), s.back, s.speeds, s.weights), turned = maths.rotate(q, s.r + s.shift, s.code, s.speeds);
    const grown = Math.sqrt(maths.dot(turned, turned)) - Math.sqrt(maths.dot(q, q)), moved = score(s, s.r + s.shift, s.shift) - score(s, s.r), p = peak(s);
    const label = t("Eight channels with four couples in them, weights {w}, code {c}; below, the score of a head against distance, with its peak at {p}.", {w: named(t)[s.weights], c: named(t)[s.code], p});
    return [picture("dance", l, label, seats(v), plot(v)), switches(v), gauges([
      [Math.abs(grown) < 1e-9 ? "✓" : "✗", t("the length stays"), null, Math.abs(grown) > 1e-9],
      [Math.abs(moved) < 1e-9 ? "✓" : "✗", t("moved together, the score stays"), null, Math.abs(moved) > 1e-9],
      [p === s.back ? "✓" : "✗", t("the head looks {b} back", {b: s.back}), p === s.back ? null : t("(it looks {p} back)", {p}), p !== s.back]])].flat();
  }
  define("dance", {maths, start, still: () => ({code: "half", shift: 500}), layout, controls, questions, free, jobs, view, eased: ["slots", "r", "shift"]});
})(globalThis.ropescenes);
