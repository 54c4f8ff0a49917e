// The panel: a box to type into and a list, in the dialog and on the search page.
const panels = [...document.querySelectorAll(".search")], data = document.querySelector("#search-dialog").dataset;
let ready = false, loading = false;

function item(hit, k, hits) {
  const link = document.createElement("a"), name = document.createElement("b"), line = document.createElement("small");
  link.href = data.home + hit.url + (hit.first ? "" : `#${hit.anchor}`);
  if (hit.number) name.append(Object.assign(document.createElement("span"), {className: "number", textContent: hit.number}), " ");
  // a chapter is named once, its sections' numbers say the rest
  const named = hit.first || (hit.number && hits.findIndex((other) => other.place === hit.place) < k);
  name.append(named ? hit.heading : `${hit.title} › ${hit.heading}`);
  for (const [piece, marked] of snippet(hit)) line.append(marked ? Object.assign(document.createElement("mark"), {textContent: piece}) : piece);
  link.append(name, line);
  link.addEventListener("click", () => document.querySelector("#search-dialog").close());
  const place = document.createElement("li");
  place.append(link);
  return place;
}

function show(panel, query) {
  const list = panel.querySelector(".results"), status = panel.querySelector(".status");
  panel.hint ??= status.textContent;
  list.replaceChildren();
  delete panel.dataset.answered;
  if (!query.trim()) { status.textContent = panel.hint; return; }
  if (!ready) { status.textContent = loading ? data.loading : data.failed; return; }
  const hits = find(query), top = hits[0];
  const read = top && plain(query).trim() !== top.query && !plain(query).includes(top.query) ? data.read.replace("%s", top.query) : "";
  panel.dataset.answered = query;
  const found = hits.length === 1 ? data.one : data.some.replace("%s", hits.length);
  status.textContent = hits.length ? found + read : data.none.replace("%s", query.trim());
  list.append(...hits.map(item));
}

const refresh = () => { for (const panel of panels) show(panel, panel.querySelector("input").value); };
for (const panel of panels) {
  const input = panel.querySelector("input");
  // while Chinese is being composed nothing has been typed yet
  input.addEventListener("input", (e) => { if (!e.isComposing) show(panel, input.value); });
  input.addEventListener("compositionend", () => show(panel, input.value));
  panel.querySelector("form").addEventListener("submit", (e) => {
    const first = panel.querySelector(".results a");
    if (first) { e.preventDefault(); first.click(); }
  });
  input.addEventListener("keydown", (e) => { // a search box of its own empties first; here one press closes
    if (e.key === "Escape" && panel.open && !e.isComposing) { e.preventDefault(); panel.close(); }
  });
  panel.addEventListener("keydown", (e) => {
    const stops = [input, ...panel.querySelectorAll(".results a")], at = stops.indexOf(document.activeElement);
    const to = {ArrowDown: at + 1, ArrowUp: at - 1}[e.key];
    if (at >= 0 && stops[to] && !e.isComposing) { e.preventDefault(); stops[to].focus(); }
  });
}
const own = document.querySelector("#search-page input");
if (own) {
  own.value = new URLSearchParams(location.search).get("q") ?? "";
  own.focus();
}

return {
  async index(content) {
    stemmer = typeof Stemmer === "function" ? new Stemmer() : undefined;
    await fill(content);
    loading = false;
    ready = true;
    refresh();
  },
  find,
  snippet,
  begin() {
    if (ready || loading) return;
    loading = true;
    refresh();
    const script = document.createElement("script");
    script.src = data.index;
    script.onerror = () => { // search opened once more tries once more
      loading = false;
      for (const panel of panels) panel.querySelector(".status").textContent = data.failed;
      script.remove();
    };
    document.head.append(script);
  },
};
