// What the page needs a script for: the reader's theme, search, copying code, and boxes that scroll.
const root = document.documentElement, words = document.querySelector("#search-dialog");

// Theme: the reader's choice over the system's. Where storage is blocked it lasts for the page.
const system = matchMedia("(prefers-color-scheme: dark)");
document.querySelector(".theme-switch-button")?.addEventListener("click", () => {
  const now = root.dataset.theme || (system.matches ? "dark" : "light"), next = now === "dark" ? "light" : "dark";
  root.dataset.theme = next;
  try { localStorage.setItem("theme", next); } catch {}
});

// Search: the index is fetched when search is first opened, never before.
const openSearch = () => { words.showModal(); words.querySelector("input").select(); loadSearch(); };
let loading;
function loadSearch() {
  loading ??= new Promise((done, failed) => {
    const script = Object.assign(document.createElement("script"), {src: words.dataset.script, onload: done, onerror: failed});
    document.head.append(script);
  });
  loading.then(() => ropebook.begin(), () => {
    loading = undefined;
    for (const s of document.querySelectorAll(".search .status")) s.textContent = words.dataset.failed;
  });
}
document.querySelector(".search-button")?.addEventListener("click", openSearch);
words?.querySelector(".close").addEventListener("click", () => words.close());
words?.addEventListener("click", (e) => { if (e.target === words) words.close(); });
addEventListener("keydown", (e) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName) || e.target.isContentEditable;
  if (((e.ctrlKey || e.metaKey) && !e.shiftKey && !e.altKey && e.key.toLowerCase() === "k") || (e.key === "/" && !typing)) {
    e.preventDefault();
    if (words?.open) words.close(); else openSearch();
  }
});
if (document.querySelector("#search-page")) loadSearch();

// An old bookmark may name a section that is no longer here
function missing() {
  document.querySelector(".moved")?.remove();
  let name;
  try { name = decodeURIComponent(location.hash.slice(1)); } catch { name = location.hash; }
  if (!name || document.getElementById(name)) return;
  const note = Object.assign(document.createElement("p"), {className: "moved", textContent: document.body.dataset.moved});
  note.setAttribute("role", "status");
  document.querySelector("article").prepend(note);
}
missing();
addEventListener("hashchange", missing);

// Copy code
for (const box of document.querySelectorAll(".cell_input .highlight, .bd-article > section div[class*='highlight-'] > .highlight")) {
  if (box.querySelector(".copy") || box.closest(".cell_input, .cell_output")?.matches(".cell_output")) continue;
  const button = Object.assign(document.createElement("button"), {type: "button", className: "button copy", textContent: document.body.dataset.copy});
  button.addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(box.querySelector("pre").textContent); } catch { return; }
    button.textContent = document.body.dataset.copied;
    setTimeout(() => { button.textContent = document.body.dataset.copy; }, 1500);
  });
  box.append(button);
  if (box.closest(".cell_input")) box.append(wrapButton(box));
}

// On a phone lines of code can be folded, on the whole page and until the reader wants them whole. A folded line goes on under its own
// beginning; what is copied stays the same.
function wrapButton(box) {
  const button = Object.assign(document.createElement("button"), {type: "button", className: "button wrap", textContent: document.body.dataset.wrap});
  button.addEventListener("click", () => {
    const top = box.getBoundingClientRect().top;
    wrapLines(!root.classList.contains("wrapped"));
    scrollBy(0, box.getBoundingClientRect().top - top);
    try { localStorage.setItem("wrap", root.classList.contains("wrapped") ? "1" : ""); } catch {}
  });
  button.ariaPressed = "false";
  return button;
}
function wrapLines(wanted) {
  if (wanted) {
    for (const code of document.querySelectorAll(".cell_input pre:not(:has(.line))")) {
      // a highlighted line closes all it opens
      code.innerHTML = code.innerHTML.split(/(?<=\n)(?!<\/span>)|(?<=\n<\/span>)/).map((line) => {
        if (line.startsWith('<span class="gap">')) return line;
        const indent = line.replace(/<[^>]*>/g, "").match(/^ */)[0].length;
        return `<span class="line" style="--in:${indent + 2}ch">${line}</span>`;
      }).join("");
    }
  }
  root.classList.toggle("wrapped", wanted);
  for (const button of document.querySelectorAll(".wrap")) button.ariaPressed = String(wanted);
  reach();
}

// Live cells: nothing of them is loaded before the button is pressed
const live = document.querySelector(".live");
let lost = 0;
live?.querySelector(".live-start").addEventListener("click", async () => {
  const words = JSON.parse(live.dataset.words), status = live.querySelector(".live-status"), button = live.querySelector(".live-start");
  if (!location.protocol.startsWith("http")) { status.textContent = words["from disk"]; return; }
  live.dataset.state = "loading";
  if (document.activeElement === button) live.focus({preventScroll: true}); // the button is gone until it can be pressed again
  button.firstElementChild.nextElementSibling.textContent = words.again;
  button.lastElementChild.hidden = true;
  let start;
  try {
    // a browser remembers a module that was lost under its address
    ({start} = await import(new URL(live.dataset.script + (lost ? `&again=${lost}` : ""), document.baseURI)));
  } catch {
    lost++;
    status.textContent = words.failed.replace("%s", words.lost.replace("%s", "live.js"));
    live.dataset.state = "failed";
    live.querySelector(".live-help").hidden = false;
    if (document.activeElement === live) button.focus({preventScroll: true});
    return;
  }
  start(live);
});

// An exercise can be answered where it stands: its button presses the one above
for (const code of live ? document.querySelectorAll(".exercise + .cell > .cell_input") : []) {
  const first = live.querySelector(".live-start"), note = Object.assign(document.createElement("p"), {hidden: true});
  const button = Object.assign(document.createElement("button"), {type: "button", className: "button run-here", textContent: first.firstElementChild.nextElementSibling.textContent});
  note.setAttribute("role", "status");
  const told = () => { // from disk, or where a file is lost, it says why not
    note.textContent = /^(undefined|failed)$/.test(live.dataset.state) ? live.querySelector(".live-status").textContent : "";
    note.hidden = !note.textContent;
  };
  button.addEventListener("click", () => {
    first.click();
    told();
  });
  button.addEventListener("click", () => new MutationObserver(told).observe(live, {attributeFilter: ["data-state"]}), {once: true});
  code.after(button, note);
}

// A box with more than fits can be reached and scrolled by keyboard, and shows on which side it goes on
const boxes = document.querySelectorAll(".scrolls, pre, .cell_output:not(:has(rope-scene))");
const fade = (box) => box.classList.toggle("goes-on", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
const reach = () => {
  for (const box of boxes) {
    if (box.scrollWidth > box.clientWidth + 1) {
      box.tabIndex = 0;
      box.setAttribute("role", "group");
      if (box.dataset.name) box.setAttribute("aria-label", box.dataset.name);
      box.classList.add("long");
      box.onscroll = () => fade(box);
    } else if (box.tabIndex === 0) {
      for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
    }
    fade(box);
  }
};
// Measuring lays out the whole page, so it waits until the reader has something to read
const idle = (job) => (window.requestIdleCallback ? requestIdleCallback(job, {timeout: 1000}) : setTimeout(job, 200));
addEventListener("resize", () => requestAnimationFrame(reach));
addEventListener("toggle", (e) => { if (e.target.matches("details")) reach(); }, true);
addEventListener("load", () => document.fonts.ready.then(() => idle(reach)));
let wraps;
try { wraps = localStorage.getItem("wrap"); } catch {}
if (wraps && matchMedia("(max-width: 40rem)").matches) wrapLines(true);

// The list of chapters opens where the reader is; where it stands beside the text it is open from the start
const showHere = () => {
  const list = document.querySelector("#sidebar"), here = list.querySelector("[aria-current]");
  if (here && list.clientHeight) list.scrollTop = here.offsetTop - (list.clientHeight - here.offsetHeight) / 2;
};
document.querySelector("#sidebar").addEventListener("toggle", ({newState}) => { if (newState === "open") showHere(); });
addEventListener("load", () => idle(showHere));

// The other language: the same section of it, for anchors are twins but for their ending; and `/` remembers the choice
for (const link of document.querySelectorAll(".lang-switch a")) {
  link.addEventListener("click", () => {
    try { localStorage.setItem("language", link.hreflang); } catch {}
    const top = (part) => part.getBoundingClientRect().top, asked = location.hash && document.getElementById(location.hash.slice(1));
    const parts = [...document.querySelectorAll("article section[id], article figure[id], article [id].exercise, article dt[id]")];
    const here = asked && top(asked) > -50 && top(asked) < innerHeight ? asked : parts.filter((part) => top(part) < 130).at(-1);
    if (!here || scrollY <= 80) return;
    link.hash = here.id.replace(/-(zh|en)$/, link.hreflang === "en" ? "-en" : "-zh");
    // a long section: which of its parts, for both languages have as many
    const inside = [...here.children], k = inside.findLastIndex((part) => top(part) < 130);
    try { if (k > 0) sessionStorage.setItem("place", JSON.stringify([link.hash, k, inside.length])); } catch {}
  });
}
try {
  const [hash, k, all] = JSON.parse(sessionStorage.getItem("place") ?? "[]"), parts = hash === location.hash && document.getElementById(hash.slice(1))?.children;
  sessionStorage.removeItem("place");
  if (all && parts?.length === all) addEventListener("load", () => setTimeout(() => scrollTo(0, parts[k].getBoundingClientRect().top + scrollY - 80)));
} catch {}

// Which section is being read
const links = new Map([...document.querySelectorAll(".page-toc a")].map((a) => [document.getElementById(decodeURIComponent(a.hash.slice(1))), a]));
links.delete(null);
if (links.size) {
  let current;
  const follow = () => {
    let found;
    for (const [section, a] of links) if (section.getBoundingClientRect().top < innerHeight * 0.3) found = a;
    if (found === current) return;
    current?.removeAttribute("aria-current");
    found?.setAttribute("aria-current", "true");
    current = found;
  };
  let waiting;
  addEventListener("scroll", () => { waiting ??= requestAnimationFrame(() => { waiting = undefined; follow(); }); }, {passive: true});
  idle(follow);
  document.querySelector(".page-toc").addEventListener("click", (e) => { if (e.target.closest("a")) e.currentTarget.matches(":popover-open") && e.currentTarget.hidePopover(); });
}
