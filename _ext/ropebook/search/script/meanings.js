// Whether two words differ by at most so many letters
function near(one, two, most) {
  let row = Array.from({length: two.length + 1}, (_, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let k = 1; k <= two.length; k++) next[k] = Math.min(row[k] + 1, next[k - 1] + 1, row[k - 1] + (one[i - 1] !== two[k - 1]));
    row = next;
  }
  return row.at(-1) <= most;
}

// The ways in which a query may be meant: as typed, in this book's characters, in Taiwan's words, in the other language's term.
function meanings(query, {characters = {}, words = {}, terms = {}}) {
  const typed = plain(query).trim(), ways = [[typed, 1]];
  const turned = [...typed].map((char) => characters[char] ?? char).join("");
  if (turned !== typed) ways.push([turned, 1]);
  let local = "";
  for (let at = 0; at < turned.length;) {
    let size = 4;
    while (size > 1 && !words[turned.slice(at, at + size)]) size--;
    local += size > 1 ? words[turned.slice(at, at + size)] : turned[at];
    at += size;
  }
  if (local !== turned) ways.push([local, 0.95]);
  const other = [typed, turned, local, typed.replace(/s$/, "")].find((word) => terms[word])
    ?? (/^[a-z ]{5,}$/.test(typed) ? Object.keys(terms).find((term) => near(typed, term, typed.length > 6 ? 2 : 1)) : undefined);
  if (other) ways.push([plain(terms[other]), 0.9]);
  return ways;
}
