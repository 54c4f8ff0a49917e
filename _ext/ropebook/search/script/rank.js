// MiniSearch finds and weighs passages; around it, what a page is worth: the one that says most of it explains it.
const FIELDS = ["page", "names", "heading", "hidden", "text", "code", "detail"];
const BOOST = {page: 2, names: 2, heading: 2, hidden: 2, text: 1, code: 0.4, detail: 0.3};
// Who types a name in code looks for a function; who types a word looks for what explains it
const isCode = (query, name) => /[_(]/.test(query) || (query === name && /[A-Z]/.test(name));
const TITLED = 2; // a word of a section's own title
const KIND = {api: 0.2, term: 0.45, work: 0.25, symbol: 1.3};
let passages = [], numbers = [], tables = {}, found;

// Fill the index a little at a time, so that typing never waits for it
async function fill(index) {
  tables = index;
  passages = index.pages.flatMap(([url, names, rows], place) => rows.map(([anchor, heading, kind, text, code, detail, hidden, low, number], i) => ({
    id: 0, place, url, first: i === 0, anchor, heading, kind, text, code, detail, hidden, number, low: low || kind === "term",
    title: rows[0][1], page: kind === "symbol" ? "" : rows[0][1], // a row of a table is not what its page is about
    names: i ? "" : names.join(" / "),
  })));
  passages.forEach((passage, id) => { passage.id = id; });
  numbers = index.pages.flatMap(([url, , rows, places], place) => places.map(([what, of, anchor, heading, text]) => ({
    what, of, place, url, anchor, heading, text, title: rows[0][1],
  })));
  found = new MiniSearch({fields: FIELDS, tokenize: tokens, processTerm: (term) => term});
  await found.addAllAsync(passages, {chunkSize: 20});
}

const ask = (term, how) => found.search(term, {tokenize: (whole) => [whole], boost: BOOST, prefix: false, fuzzy: false, ...how});

// What is looked for, one group a word of the query: each of its ways to be written counts once
function groups(query) {
  const typed = cut(query), kept = typed.filter((word) => !SMALL.has(word)), out = [];
  for (const word of kept.length ? kept : typed) {
    const open = word === typed.at(-1); // may still be being typed
    if (isHan(word)) { for (const pair of pairsOf(word)) out.push({ways: [pair], han: true, open: open && pair.length < 2}); continue; }
    const ways = [symbol(word) ? word.replace("_", "") : stem(word), GREEK[word], LETTER[word]].filter(Boolean);
    if (parts(word).length > 1 && !ask(ways[0], {prefix: open}).length) {
      const meant = [...new Set(ask(word, {fuzzy: word.length > 8 ? 2 : 1}).flatMap(({terms}) => terms))].filter((term) => term.includes("_"));
      if (meant.length) out.push({ways: meant.slice(0, 1), word: meant[0]}); // a name in code with a slip
      else for (const part of parts(word)) out.push({ways: [stem(part)], word: part, open});
    } else out.push({ways, word, open});
  }
  return out;
}

function weigh(query) {
  const scores = new Map(), used = new Set(), own = new Set();
  let total = 0;
  for (const {ways, word = "", han, open} of groups(query)) {
    const here = new Map();
    const put = (hits, weight) => {
      for (const hit of hits) {
        here.set(hit.id, Math.max(here.get(hit.id) ?? 0, hit.score * weight));
        for (const term of hit.terms) used.add(term);
        // a page's title speaks for the page once; a section that has nothing else of the query is no answer
        if (passages[hit.id].first || Object.values(hit.match).some((fields) => fields.some((field) => field !== "page"))) own.add(hit.id);
      }
    };
    for (const [i, term] of ways.entries()) {
      put(ask(term), i ? 0.8 : 1);
      if (open && (han || term.length > 2)) put(ask(term, {prefix: true, weights: {prefix: 0.3, fuzzy: 0.3}}), 1);
      // a slip of the hand; words of four letters are near to many, so only to what is a title or has one
      if (!here.size && /^[a-z]{4,}$/.test(word)) {
        const among = word.length > 4 ? {} : {fields: ["names", "heading", "hidden"]};
        put(ask(word, {fuzzy: word.length > 6 ? 2 : 1, weights: {prefix: 0.3, fuzzy: 0.45}, ...among}), 1);
      }
    }
    const rare = here.size ? Math.log(1 + passages.length / here.size) : 1.5;
    if (here.size || !han) total += rare;
    for (const [id, score] of here) {
      const sum = scores.get(id) ?? {score: 0, cover: 0};
      scores.set(id, {score: sum.score + score, cover: sum.cover + rare});
    }
  }
  const kept = [...scores].filter(([, s]) => s.cover / total >= 0.3).map(([id, s]) => ({id, score: s.score * s.cover / total}));
  return {kept: worth(kept, plain(query).trim(), query.trim()).filter(({id}) => own.has(id)), used};
}

// Whether a phrase stands in a line as words of their own: ntk in ntk-aware, not in dynamic_ntk
const wholly = (phrase, line) => /^[a-z]/.test(phrase) && new RegExp(`(?<![a-z\\d_])${phrase.replace(/[^\w ]/g, "\\$&")}(?![a-z\\d_])`).test(line);

function worth(hits, phrase, typed) {
  const said = new Map(), share = (p) => (p.low ? 0.5 : 1);
  let sum = 0;
  for (const {id, score} of hits) {
    const p = passages[id];
    sum += score;
    said.set(p.place, (said.get(p.place) ?? 0) + score * share(p));
  }
  const named = (p) => plain(p.names).split(" / ").includes(phrase) || plain(p.hidden).trim().split(/ *, */).includes(phrase);
  return hits.map(({id, score}) => {
    const p = passages[id], heading = plain(p.heading), home = p.place === 0; // the home page tells of all and teaches little
    let factor = (p.kind === "api" && isCode(typed, p.heading) ? 1.2 : KIND[p.kind] ?? (home && !named(p) ? 0.6 : 1)) * share(p) * (p.first && !home ? 1.2 : 1);
    if (p.kind === "symbol" && heading.startsWith(phrase)) factor *= 1.6;
    factor *= 20 / (19 + Math.max(1, p.place)); // of two pages alike, the earlier brings the subject in, the later uses it
    if (phrase.length > 1) {
      factor *= heading === phrase && p.kind !== "api" ? 3 : !p.kind && wholly(phrase, heading) ? TITLED : heading.includes(phrase) ? 1.3 : plain(p.text).includes(phrase) ? 1.15 : 1;
      if (named(p)) factor *= 3;
    }
    return {id, score: score * factor * (1 + 4 * said.get(p.place) / sum)};
  });
}

function find(query) {
  const best = new Map(), ways = meanings(query, tables);
  const asked = ways.map(([way]) => numbered(way)).find((places) => places.length) ?? [];
  if (asked.length && !/^[\d.]+$/.test(query.trim())) return asked;
  for (const [way, weight] of ways) {
    const {kept, used} = weigh(way === plain(query).trim() ? query.normalize("NFKC") : way); // capitals tell a name in code
    for (const {id, score} of kept) {
      if (!(best.get(id)?.score >= score * weight)) best.set(id, {...passages[id], score: score * weight, query: way, used});
    }
  }
  // the best of a page stand for it; what else it has comes behind the other pages
  const seen = new Map(), front = [], back = [];
  for (const hit of [...best.values()].sort((a, b) => b.score - a.score)) {
    const count = (seen.get(hit.place) ?? 0) + 1;
    seen.set(hit.place, count);
    (count > 3 ? back : front).push(hit);
  }
  const other = (hit) => !asked.some(({url, anchor}) => url === hit.url && anchor === hit.anchor);
  return [...asked, ...[...front, ...back].filter(other)].slice(0, 24);
}
