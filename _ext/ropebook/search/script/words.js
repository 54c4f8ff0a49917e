// How text is cut into words. Chinese has no spaces: its words are pairs of characters. English words are their stems.
const HAN = "\\u3400-\\u9fff\\uf900-\\ufaff", TERM = new RegExp(`[${HAN}]+|(?:_|[^\\s\\p{P}\\p{S}${HAN}])+`, "gu"); // inv_freq is one
const isHan = (word) => new RegExp(`^[${HAN}]`).test(word);
const plain = (text) => text.normalize("NFKC").toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "").replace(/[−–]/g, "-");
const parts = (name) => name.split("_").filter(Boolean);
const SMALL = new Set("the a an of to in is are be and or for with on by it its that this as at from which what why how do does not i my we you can".split(" "));

const GREEK = {}, LETTER = {}; // theta <-> θ
"alpha α beta β gamma γ delta δ epsilon ε theta θ lambda λ mu μ pi π rho ρ sigma σ tau τ phi φ psi ψ omega ω".split(" ")
  .forEach((name, i, all) => { if (i % 2 === 0) { GREEK[name] = all[i + 1]; LETTER[all[i + 1]] = name; } });

let stemmer; // comes with the English index
const stems = new Map();
const stem = (word) => {
  if (!stems.has(word)) stems.set(word, stemmer && /^[a-z]{3,}$/.test(word) ? stemmer.stemWord(word) : word);
  return stems.get(word);
};
const symbol = (word) => /^\p{L}_[\p{L}\d]$/u.test(word); // q_m is written qₘ in a formula
const pairsOf = (run) => Array.from({length: Math.max(1, run.length - 1)}, (_, i) => run.slice(i, i + 2));

// `m-n` is one word, and so is `10 000`
const cut = (text) => plain(text).replace(/(?<![a-z])([a-z])-([a-z])(?![a-z])/g, "$1minus$2")
  .replace(/(?<=\d)[\u202f\u00a0 ,](?=\d{3}(?!\d))/g, "").match(TERM) ?? [];

function tokens(text) {
  const out = [];
  for (const word of cut(text)) {
    if (isHan(word)) { out.push(...pairsOf(word), word.at(-1)); continue; }
    out.push(symbol(word) ? word.replace("_", "") : stem(word));
    if (stem(word) !== word) out.push(word); // as it stands too: a slip is found by the whole word
    if (word.length > 1) for (const letter of word) if (LETTER[letter]) out.push(letter);
    if (parts(word).length > 1) for (const part of parts(word)) out.push(stem(part));
  }
  return out;
}
