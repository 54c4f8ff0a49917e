// Search in this page's language. Chinese has no spaces, so a Chinese word is looked for as it stands, and where it is
// nowhere as its pairs of characters; English words are compared by their stems.
const ropebook = (() => {
  const panels = [...document.querySelectorAll(".search")], data = document.querySelector("#search-dialog").dataset;
  const HAN = "\\u3400-\\u9fff\\uf900-\\ufaff", CJK = new RegExp(`[${HAN}]`);
  const TERM = new RegExp(`[${HAN}]+|(?:_|[^\\s\\p{P}\\p{S}${HAN}])+`, "gu"); // a name in code, inv_freq, is one term
  const plain = (text) => text.normalize("NFKC").toLowerCase();
  const stems = new Map();
  let stemmer; // comes with the English index
  const stem = (w) => {
    if (!stems.has(w)) stems.set(w, stemmer && /^[a-z]{3,}$/.test(w) ? stemmer.stemWord(w) : w);
    return stems.get(w);
  };
  const count = (text, part) => text.split(part).length - 1;
  const parts = (name) => name.split("_").filter(Boolean);
  let passages, loading = false;

  // Text as it is searched; `usual` is the length of most of its kind
  function cut(text, usual = 1) {
    const low = plain(text), words = new Map();
    const add = (w, n) => words.set(w, (words.get(w) ?? 0) + n);
    for (const w of low.match(TERM) ?? []) {
      if (CJK.test(w)) continue;
      add(stem(w), 1);
      if (parts(w).length > 1) for (const part of parts(w)) add(stem(part), 0.5);
    }
    return {text: low, words, size: (1 + low.length / usual) / 2};
  }

  // How often a term stands in a cut text; `open` allows a word still being typed
  function hits(where, term, open) {
    if (CJK.test(term)) {
      const whole = count(where.text, term);
      if (whole || term.length < 3) return whole;
      const pairs = Array.from({length: term.length - 1}, (_, i) => term.slice(i, i + 2));
      const found = pairs.filter((p) => where.text.includes(p)).length / pairs.length;
      return found >= 0.6 ? found / 9 : 0;
    }
    const exact = where.words.get(stem(term)) ?? 0;
    if (exact) return exact;
    let begun = 0;
    if (open && term.length > 1) for (const [w, n] of where.words) if (w.startsWith(stem(term)) || w.startsWith(term)) begun += n;
    return begun / 2;
  }

  // How far a heading is about a term: half for holding it, all for being it
  function about(head, term, open) {
    return Math.min(1, hits(head, term, open)) * (1 + term.length / head.text.length) / 2;
  }

  function termsOf(query) {
    const typed = [...new Set(plain(query).match(TERM) ?? [])], last = typed.at(-1);
    const known = (t) => passages.some((p) => hits(p.body, t, t === last) || hits(p.head, t, t === last));
    return typed.flatMap((t) => (known(t) ? [t] : parts(t))); // a name the book does not have may still have a part it knows
  }

  // A section is worth what its heading and text say of the terms, and what its page says: the page's names, and its share of
  // all that the book says. Of two pages alike, the earlier one brings the subject in and the later one uses it.
  function find(query) {
    const terms = termsOf(query), phrase = plain(query).trim();
    const scored = passages.map((p) => ({p, score: 0, own: 0, met: 0}));
    for (const [i, term] of terms.entries()) {
      const open = i === terms.length - 1, named = new Map(), said = new Map();
      for (const s of scored) {
        const {page, head, body} = s.p;
        s.head = about(head, term, open);
        s.said = hits(body, term, open);
        said.set(page, (said.get(page) ?? 0) + s.said);
        if (!named.has(page)) named.set(page, Math.max(...page.names.map((name) => about(name, term, open))));
      }
      const all = [...said.values()].reduce((a, b) => a + b, 2), holding = scored.filter((s) => s.said || s.head).length;
      const rare = Math.log2(1 + passages.length / Math.max(1, holding));
      for (const s of scored) {
        const {page, body} = s.p, own = 4 * s.head + s.said / (s.said + body.size);
        s.score += rare * (own + 6 * named.get(page) + 4 * said.get(page) / all);
        s.own += own;
        if (own || named.get(page)) s.met += rare;
      }
    }
    const most = Math.max(...scored.map((s) => s.met)), kept = scored.filter((s) => (s.own || s.p.first) && s.met && s.met >= 0.75 * most);
    for (const s of kept) {
      const {page, head, body, first} = s.p;
      s.score *= s.met / most / (9 + page.place);
      if (terms.length > 1 && (body.text.includes(phrase) || head.text.includes(phrase))) s.score *= 1.5;
      if (first && page.names.some((name) => name.text === phrase)) s.score *= 3;
    }
    return kept.sort((a, b) => b.score - a.score).slice(0, 24).map((s) => s.p);
  }

  function marked(text, terms) {
    const low = plain(text), spots = low.length === text.length ? terms.map((t) => low.indexOf(t)).filter((i) => i >= 0) : [];
    const from = Math.max(0, (spots.length ? Math.min(...spots) : 0) - 40), shown = text.slice(from, from + 150);
    const line = document.createElement("small");
    if (from) line.append("…");
    const ways = terms.filter((t) => plain(shown).includes(t)).map((t) => t.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    for (const piece of ways.length ? shown.split(new RegExp(`(${ways.join("|")})`, "i")) : [shown]) {
      line.append(ways.length && terms.includes(plain(piece)) ? Object.assign(document.createElement("mark"), {textContent: piece}) : piece);
    }
    if (from + 150 < text.length) line.append("…");
    return line;
  }

  function show(panel, query) {
    const list = panel.querySelector(".results"), status = panel.querySelector(".status");
    panel.hint ??= status.textContent;
    list.replaceChildren();
    delete panel.dataset.answered;
    if (!query.trim()) { status.textContent = panel.hint; return; }
    if (!passages) { status.textContent = loading ? data.loading : data.failed; return; }
    const found = find(query), terms = plain(query).match(TERM) ?? [];
    panel.dataset.answered = query;
    status.textContent = found.length ? data.some.replace("%s", found.length) : data.none.replace("%s", query.trim());
    for (const p of found) {
      const a = document.createElement("a"), b = document.createElement("b");
      a.href = data.home + p.page.url + (p.first ? "" : `#${p.anchor}`);
      b.textContent = p.first ? p.heading : `${p.page.title} › ${p.heading}`;
      a.append(b, marked(p.text, terms));
      a.addEventListener("click", () => document.querySelector("#search-dialog").close());
      list.append(Object.assign(document.createElement("li"), {}));
      list.lastChild.append(a);
    }
  }

  const refresh = () => { for (const panel of panels) show(panel, panel.querySelector("input").value); };
  for (const panel of panels) {
    panel.querySelector("input").addEventListener("input", (e) => show(panel, e.target.value));
    panel.addEventListener("keydown", (e) => {
      const stops = [panel.querySelector("input"), ...panel.querySelectorAll(".results a")], at = stops.indexOf(document.activeElement);
      const to = {ArrowDown: at + 1, ArrowUp: at - 1}[e.key];
      if (at >= 0 && stops[to]) { e.preventDefault(); stops[to].focus(); }
    });
  }
  const asked = new URLSearchParams(location.search).get("q"), own = document.querySelector("#search-page input");
  if (own) {
    own.value = asked ?? "";
    own.focus();
  }

  return {
    index(pages) {
      stemmer = typeof Stemmer === "function" ? new Stemmer() : undefined;
      passages = pages.flatMap(([url, sections, called], place) => {
        const names = [sections[0][1], ...called].map((name) => cut(name));
        const page = {url, names, title: sections[0][1], place: place || 2}; // the home page tells of all and teaches little
        return sections.map(([anchor, heading, text], i) => (
          {page, anchor, heading, text, first: i === 0, head: cut(heading), body: cut(`${heading} ${text}`, 1600)}
        ));
      });
      refresh();
    },
    find,
    begin() {
      if (passages || loading) return;
      loading = true;
      refresh();
      const script = document.createElement("script");
      script.src = data.index;
      script.onload = () => { loading = false; };
      script.onerror = () => { // search opened once more tries once more
        loading = false;
        for (const panel of panels) panel.querySelector(".status").textContent = data.failed;
        script.remove();
      };
      document.head.append(script);
    },
  };
})();
