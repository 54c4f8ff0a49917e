// Search in this page's language. Chinese has no spaces, so a Chinese word is looked for as it stands, and where it is
// nowhere as its pairs of characters; English words are compared by their stems.
const ropebook = (() => {
  const panels = [...document.querySelectorAll(".search")], data = document.querySelector("#search-dialog").dataset;
  const CJK = /[\u3400-\u9fff\uf900-\ufaff]/, TERM = /[\u3400-\u9fff\uf900-\ufaff]+|[^\s\p{P}\p{S}\u3400-\u9fff\uf900-\ufaff]+/gu;
  const plain = (text) => text.normalize("NFKC").toLowerCase();
  const stems = new Map();
  let stemmer; // comes with the English index
  const stem = (w) => {
    if (!stems.has(w)) stems.set(w, stemmer && /^[a-z]{3,}$/.test(w) ? stemmer.stemWord(w) : w);
    return stems.get(w);
  };
  const count = (text, part) => text.split(part).length - 1;
  let passages;

  function cut(text) {
    const words = new Map();
    for (const w of text.match(TERM) ?? []) if (!CJK.test(w)) words.set(stem(w), (words.get(stem(w)) ?? 0) + 1);
    return {text, words};
  }

  // How often a term stands in a cut text; `open` allows a word still being typed
  function hits(cutText, term, open) {
    if (CJK.test(term)) {
      const whole = count(cutText.text, term);
      if (whole || term.length < 3) return whole;
      const pairs = Array.from({length: term.length - 1}, (_, i) => term.slice(i, i + 2));
      const found = pairs.filter((p) => cutText.text.includes(p)).length / pairs.length;
      return found >= 0.6 ? found / 3 : 0;
    }
    const exact = cutText.words.get(stem(term)) ?? 0;
    if (exact) return exact;
    let begun = 0;
    if (open && term.length > 1) for (const [w, n] of cutText.words) if (w.startsWith(stem(term)) || w.startsWith(term)) begun += n;
    return begun / 2;
  }

  const grow = (n) => (n > 0 ? Math.log2(1 + n) : 0);

  function find(query) {
    const terms = [...new Set(plain(query).match(TERM) ?? [])];
    if (!terms.length) return [];
    const rare = terms.map((t, i) => {
      const holding = passages.filter((p) => hits(p.body, t, i === terms.length - 1) || hits(p.head, t, i === terms.length - 1)).length;
      return holding ? Math.log2(1 + passages.length / holding) : 0;
    });
    const scored = passages.map((p) => {
      let score = 0, met = 0;
      terms.forEach((t, i) => {
        const open = i === terms.length - 1;
        const s = rare[i] * (grow(hits(p.body, t, open)) / p.length + 5 * grow(hits(p.head, t, open)) + 3 * grow(hits(p.page.head, t, open)));
        score += s;
        met += s > 0;
      });
      if (terms.length > 1 && p.body.text.includes(plain(query).trim())) score *= 1.5;
      return {p, score, met};
    });
    const most = Math.max(...scored.map((s) => s.met));
    const kept = scored.filter((s) => s.met === most && s.score > 0);
    const page = new Map();
    for (const s of kept) page.set(s.p.page, (page.get(s.p.page) ?? 0) + s.score);
    for (const s of kept) s.score += 0.25 * page.get(s.p.page);
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
    if (!query.trim()) { status.textContent = panel.hint; return; }
    if (!passages) { status.textContent = data.loading; return; }
    const found = find(query), terms = plain(query).match(TERM) ?? [];
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
      passages = pages.flatMap(([url, sections]) => {
        const page = {url, title: sections[0]?.[1] ?? url, head: cut(plain(sections[0]?.[1] ?? ""))};
        return sections.map(([anchor, heading, text], i) => ({
          page, anchor, heading, text, first: i === 0, head: cut(plain(heading)), body: cut(plain(text)),
          length: Math.sqrt(1 + text.length / 800),
        }));
      });
      refresh();
    },
    find,
    begin() {
      refresh();
      const script = document.createElement("script");
      script.src = data.index;
      script.onerror = () => { for (const panel of panels) panel.querySelector(".status").textContent = data.failed; };
      document.head.append(script);
    },
  };
})();
ropebook.begin();
