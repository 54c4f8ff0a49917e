// The sentence that says most of what was asked, whole if it fits, as pieces [text, marked].
const ENDS = /[。！？；]|\n|(?<!\bal)[.!?;](?=\s)|$/g;

// Where in a text the words of a hit stand
function spotsOf(hit) {
  const runs = cut(hit.query).filter(isHan), spots = [];
  for (const {0: word, index} of hit.text.matchAll(TERM)) {
    if (!isHan(word)) {
      if (!SMALL.has(plain(word)) && tokens(word).some((term) => hit.used.has(term))) spots.push([index, index + word.length, 1]);
      continue;
    }
    for (const run of runs) {
      const wanted = word.includes(run) ? [run] : pairsOf(run);
      for (const piece of wanted) {
        for (let at = word.indexOf(piece); at >= 0; at = word.indexOf(piece, at + 1)) spots.push([index + at, index + at + piece.length, piece.length]);
      }
    }
  }
  return spots.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
}

function sentenceOf(text, spots) {
  let from = 0, best = [0, text.length], most = -1, count = 0;
  for (const {0: end, index} of text.matchAll(ENDS)) {
    const to = index + end.length;
    if (to <= from) continue;
    const inside = spots.filter(([a, b]) => a >= from && b <= to), kinds = new Set(inside.map(([a, b]) => plain(text.slice(a, b))));
    const longest = Math.max(0, ...inside.map(([, , size]) => size));
    const value = kinds.size * (1 + longest / 4) * (to - from < 12 ? 0.5 : 1) / (1 + count++ / 40);
    if (value > most) { most = value; best = [from, to]; }
    from = to;
  }
  return best;
}

function snippet(hit) {
  const {text} = hit, han = new RegExp(`[${HAN}]`).test(text), room = han ? 76 : 150, spots = spotsOf(hit);
  let [from, to] = sentenceOf(text, spots);
  while (/\s/.test(text[from] ?? "")) from++;
  const first = spots.find(([a]) => a >= from && a < to)?.[0] ?? from;
  if (to - from > room && first - from > room * 0.6) {
    from = first - Math.floor(room * 0.3);
    while (from < first && !/[\s，、：（「]/.test(text[from - 1])) from++;
  }
  const line = text.indexOf("\n", from), stop = line < 0 ? text.length : line; // never into the next block
  let end = Math.min(stop, Math.max(to, from + room));
  if (end - from > room) {
    end = from + room;
    const space = han ? -1 : text.lastIndexOf(" ", end);
    if (space > from + room / 2) end = space;
  }
  const out = from > 0 && text[from - 1] !== "\n" && !/[。！？.!?]\s*$/.test(text.slice(0, from)) ? [["…", false]] : [];
  let at = from;
  for (const [a, b] of spots) {
    if (a < at || b > end) continue;
    out.push([text.slice(at, a), false], [text.slice(a, b), true]);
    at = b;
  }
  out.push([text.slice(at, end).trimEnd(), false]);
  if (end < stop) out.push(["…", false]);
  return out.filter(([piece]) => piece);
}
