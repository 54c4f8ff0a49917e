// What a page or a lecture names by number: section 13.9, (13.2), Fig. 13.7, 習題 13.1, 第十三章.
const NAMED = {
  section: /^(section|sec|chapter|chap|ch|§|第|節|章)$/,
  equation: /^(equation|eqn?|formula|式|公式|方程式)$/,
  figure: /^(figure|fig|圖)$/,
  exercise: /^(exercise|ex|練習|習題)$/,
};
const NUMBER = /^(.*?)\.?\s*(\(?)(\d+(?:\.\d+)*)\)?\s*[節章]?$/u, DIGITS = "一二三四五六七八九";

// 十三 is 13
function counted(text) {
  const [tens, ones] = text.includes("十") ? text.split("十") : ["", text];
  return 10 * (text.includes("十") ? DIGITS.indexOf(tens || "一") + 1 : 0) + DIGITS.indexOf(ones || " ") + 1;
}

/** The places that a query names; without a word for what it is, (13.2) is an equation, and 13.2 all that have the number. */
function numbered(query) {
  const said = plain(query).trim().replace(/(?<=^第\s*)[一二三四五六七八九十]+(?=\s*[節章]$)/u, counted);
  const [, name, bracket, number] = said.match(NUMBER) ?? [];
  if (!number || (!name && !bracket && !number.includes("."))) return [];
  const kinds = Object.keys(NAMED).filter((kind) => (name ? NAMED[kind].test(name) : !bracket || kind === "equation"));
  const places = kinds.flatMap((kind) => (kind === "section" ? passages.filter((p) => p.number === number) : numbers.filter((p) => p.what === kind && p.of === number)));
  return places.map((place) => ({...place, query, used: new Set()}));
}
