// One pair held back: what it gives to distances that were never met, and what that does to the score and to the loss.
(function (scenes) {
  const {h, fixed, path, line, rect, circle, text, draw, gauges, picture, unspoken, tag, choice, define} = scenes;
  const PAIR = 3, MET = 63, FAR = 224, LAST = 199, OFTEN = 20, NEVER = 90; // the pair; distances met, drawn, to hold it at, and tried

  const maths = {
    gives: ([re, im], speed, r) => re * Math.cos(r * speed) - im * Math.sin(r * speed),
    // The score at distance r, where beyond MET the pair sees `at` instead (null: the distance itself)
    pair: ({pairs, speeds}, r, at) => maths.gives(pairs[PAIR], speeds[PAIR], r > MET && at !== null ? at : r),
    score: (data, r, at) => data.pairs.reduce((sum, z, i) => sum + (i === PAIR ? maths.pair(data, r, at) : maths.gives(z, data.speeds[i], r)), 0),
  };
  const rs = Array.from({length: FAR + 1}, (_, r) => r);
  const loss = (s) => (s.held ? s.data.losses[s.at - 1] : s.data.free), held = (s, at = s.at) => (s.held ? at : null);
  const most = (s, some) => Math.max(...rs.filter(some).map((r) => maths.score(s.data, r, held(s))));
  const over = (s) => most(s, (r) => r > MET) - most(s, (r) => r <= MET);
  const times = (data) => Math.max(...rs.map((r) => maths.pair(data, r, null))) / maths.pair(data, 0, null);

  const start = (data) => ({data, at: MET, held: false, tried: []});
  const put = (s, at) => ({at, held: true, tried: s.tried.includes(at) ? s.tried : [...s.tried, at]});

  function layout(w) {
    const wide = w >= 560, plot = {x: 40, y: 42, w: w - 54, h: wide ? 190 : 170}, end = plot.y + plot.h, low = {y: end + 66, h: wide ? 100 : 90}, foot = low.y + low.h;
    return {w, wide, plot, end, low, foot, height: foot + 84, x: (r) => plot.x + (r / FAR) * plot.w, r: (x) => ((x - plot.x) / plot.w) * FAR,
      up: (v) => plot.y + ((9 - v) / 22) * plot.h, cost: (v) => low.y + ((4 - v) / 3) * low.h};
  }
  function controls({s, l, t}) {
    return {hold: {name: t("distance that pair 3 is held at"), min: 1, max: LAST, big: 10, value: s.at, text: `${s.at}; ${t("loss {v}", {v: fixed(loss(s), 2)})}`,
      at: l.r, set: (v) => put(s, Math.round(v))}};
  }
  function questions({t, data}) {
    const first = start(data), edge = {...first, ...put(first, MET)}, often = {...edge, ...put(edge, OFTEN)}, never = {...often, ...put(often, NEVER)}, v = (s) => fixed(loss(s), 2);
    return [
      {choices: [["near", t("Near by, within 63")], ["far", t("Far back, beyond 150")], ["even", t("It is spread evenly")]], right: "far", then: first,
        ask: t("Green is the mean score of one head by distance, violet what pair 3 gives of it; the tinted band was met in training. When 256 characters are read, where does the attention of this head mostly go?"),
        answer: t("Far back. Pair 3 comes round, {n} times as high as at distance 0, and what stands 170 back looks nearer than what is next. The loss is {a}; counting letters alone has {b}.", {n: fixed(times(data), 0), a: v(first), b: fixed(data.letters, 2)})},
      {choices: [["much", t("Nearly all of it")], ["half", t("Half of it")], ["none", t("Next to nothing")]], right: "much", before: first, then: edge,
        ask: t("Now pair 3 is held: beyond 63 it gives every distance what it gave to 63. The other seven turn on. How much of the damage is undone?"),
        answer: t("Nearly all: {a} becomes {b}, and within the trained length it was {c}.", {a: v(first), b: v(edge), c: fixed(data.trained, 2)})},
      {choices: [["less", t("Lower still")], ["same", t("As at 63")], ["more", t("Higher")]], right: "more", before: edge, then: often,
        ask: t("Hold it at 20 instead. That angle was met in training far more often than the one at 63. What of the loss?"),
        answer: t("Higher, {a}: at 20 pair 3 does not press the far down enough. To have been met does not help.", {a: v(often)})},
      {choices: [["less", t("Lower than at 20")], ["more", t("Higher than at 20")]], right: "less", before: often, then: never,
        ask: t("And at 90, which was never met?"),
        answer: t("Lower, {a}: here pair 3 happens to be low on the whole. What counts is whether the far gets a low score.", {a: v(never)})},
    ];
  }
  const free = ({t}) => [t("Drag the place where pair 3 is held; each leaves a dot below. Where is the loss least, and what has that to do with the violet curve?")];
  const jobs = (job, s) => (job === "held" ? put(s, s.at) : {held: false});

  function plots({s, e, t, l, c}) {
    const {plot, low, end, foot} = l, right = plot.x + plot.w, R = l.x(e.at), at = held(s, e.at), curve = (of, past) => path(rs.map((r) => [l.x(r), l.up(of(s.data, r, past))]));
    const level = (words, v, down) => [line("level", plot.x, l.cost(v), right, l.cost(v)), text("small end halo", right - 2, l.cost(v) + down, words)]; // where no dot comes
    return [
      unspoken(rect("met", plot.x, plot.y, l.x(MET) - plot.x, plot.h), rect("met", plot.x, low.y, l.x(MET) - plot.x, low.h),
        [-8, 0, 8].map((v) => [line("axis", plot.x, l.up(v), right, l.up(v)), text("tickname end", plot.x - 6, l.up(v) + 5, fixed(v, 0))]),
        [1, 2, 3, 4].map((v) => text("tickname end", plot.x - 6, l.cost(v) + 5, v)), line("axis", plot.x, foot, right, foot),
        [0, 63, 128, 192].map((r) => [text("tickname", l.x(r), end + 18, r), text("tickname", l.x(r), foot + 18, r)]),
        text("name start", 2, 16, t("mean score")), text("all end", right, 16, t("all eight pairs")), text("alone end", right, 34, t("pair 3 alone")),
        text("name end", right, end + 38, t("distance")), text("name start", 2, low.y - 12, t("loss (nats a character)")), text("name end", right, foot + 38, t("distance held at")),
        draw("as", s.held ? curve(maths.pair, null) : ""), draw("all", curve(maths.score, at)), draw("alone", curve(maths.pair, at)),
        level(t("letter counts alone"), s.data.letters, 14), level(t("within the trained length"), s.data.trained, -5),
        s.tried.map((a) => circle("tried", l.x(a), l.cost(s.data.losses[a - 1]), 2.5)),
        line(s.held ? "here" : "here off", R, l.up(maths.pair(s.data, e.at, null)), R, foot + 46),
        circle(s.held ? "now" : "now off", R, l.up(maths.pair(s.data, e.at, null)), 5), s.held ? circle("now", R, l.cost(loss(s)), 6) : null),
      tag("hold", c.hold, {x: R, y: foot + 46, up: true, width: 112, reach: 4, within: l.w, words: t("held at {n}", {n: fixed(s.at, 0)})}),
    ];
  }
  function view(v) {
    const {s, t, l} = v, label = s.held ? t("Mean score by distance with pair 3 held at {n}; the loss is {v}.", {n: s.at, v: fixed(loss(s), 2)}) : t("Mean score by distance with nothing held; the loss is {v}.", {v: fixed(loss(s), 2)});
    return [picture("hold", l, label, plots(v)),
      h("p", {class: "choices", role: "group", "aria-label": t("pair 3")}, choice("free", t("turns on"), !s.held), choice("held", t("is held"), s.held)),
      gauges([[fixed(loss(s), 2), t("loss at 256 characters"), null, loss(s) > s.data.letters], [fixed(over(s), 1), t("highest score beyond 63, over the highest within"), null, over(s) > 0]])];
  }
  define("hold", {maths, start, still: (data, s) => put(s, MET), layout, controls, questions, free, jobs, view, eased: ["at"]});
})(globalThis.ropescenes);
