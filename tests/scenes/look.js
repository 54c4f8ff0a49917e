// What the tests ask of a scene without a browser.
const held = (kind, s, w = 686) => {
  const {kinds, say} = ropescenes, k = kinds[kind], data = SCENES[kind], l = k.layout(w, data), t = say({});
  const v = {kind: k, data, s, e: s, w, l, t, id: "x-"};
  return {...v, c: k.controls(v)};
};
const first = (kind) => ropescenes.begin(ropescenes.kinds[kind], SCENES[kind]);
const after = (kind, s, ...jobs) => jobs.reduce((now, job) => ({...now, ...ropescenes.move(held(kind, now), job)}), s);
const put = (kind, s, id, value) => ({...s, ...held(kind, s).c[id].set(value)});
const drawn = (kind, s, w) => ropescenes.view(held(kind, s, w)).map(ropescenes.markup).join("");

// Every state that its questions lead to, with each answer; then free
function states(kind) {
  const found = [["start", first(kind)]], list = ropescenes.kinds[kind].questions(held(kind, first(kind)));
  let s = first(kind);
  list.forEach((question, i) => {
    for (const [id] of question.choices ?? [[null]]) found.push([`question ${i}, ${id}`, after(kind, s, id === null ? "say" : `say ${id}`)]);
    s = after(kind, s, question.choices ? `say ${question.right}` : "say", "next");
    found.push([i + 1 < list.length ? `question ${i + 1}` : "free", s]);
  });
  return found;
}
// What a handle does at its ends and in the middle of them, from the free state
function reach(kind) {
  const [, free] = states(kind).at(-1), found = [];
  for (const [id, c] of Object.entries(held(kind, free).c)) {
    for (const value of [c.min, (c.min + c.max) / 2, c.max]) found.push([`${id} at ${value}`, put(kind, free, id, value), id]);
  }
  return found;
}
const strange = (text) => (/NaN|undefined|Infinity|\[object/.exec(text) ?? [null])[0];
// And what its buttons bring, from the free state: with each handle at its ends
function pressed(kind) {
  const [, free] = states(kind).at(-1), found = [];
  const jobs = (tree) => (tree?.kids ?? []).flatMap(jobs).concat(tree?.attrs?.["data-do"] ?? []);
  for (const job of new Set(ropescenes.view(held(kind, free)).flatMap(jobs))) {
    const s = after(kind, free, job);
    found.push([job, s]);
    for (const [id, c] of Object.entries(held(kind, s).c)) for (const value of [c.min, c.max]) found.push([`${job}, ${id} at ${value}`, put(kind, s, id, value)]);
  }
  return found;
}
