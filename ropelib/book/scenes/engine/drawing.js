// What scenes are drawn with: angles as in mathematics (counter-clockwise, y up), pixels as on a page (y down).
(function (scenes) {
  const {h, two} = scenes, TURN = 2 * Math.PI;

  const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
  const near = (angle) => angle - TURN * Math.round(angle / TURN); // the same direction, within half a turn
  const degrees = (angle) => Math.round((angle * 360) / TURN);

  const minus = (text) => String(text).replace("-", "−");
  const fixed = (value, digits) => minus((Math.abs(value) < 0.5 * 10 ** -digits ? 0 : value).toFixed(digits));
  const grouped = (value) => minus(String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ","));

  const one = (value) => Math.round(value * 10) / 10; // a tenth of a pixel is fine enough for a path
  const at = (x, y, angle, r) => [x + r * Math.cos(angle), y - r * Math.sin(angle)];
  const points = (list) => list.map(([x, y]) => `${one(x)},${one(y)}`).join(" ");
  const path = (list) => list.map(([x, y], i) => `${i ? "L" : "M"}${one(x)} ${one(y)}`).join("");
  function arc(x, y, from, to, r) {
    const steps = Math.max(1, Math.ceil(Math.abs(to - from) / 3)); // an SVG arc cannot go all the way round
    const stops = Array.from({length: steps + 1}, (_, i) => at(x, y, from + ((to - from) * i) / steps, r).map(one).join(" "));
    return "M" + stops.join(`A${one(r)} ${one(r)} 0 0 ${to > from ? 0 : 1} `);
  }
  const sector = (x, y, from, to, r) => `${arc(x, y, from, to, r).replace("M", `M${one(x)} ${one(y)}L`)}Z`;

  const line = (name, x1, y1, x2, y2) => h("line", {class: name, x1, y1, x2, y2});
  const circle = (name, cx, cy, r) => h("circle", {class: name, cx, cy, r});
  const rect = (name, x, y, width, height, rx) => h("rect", {class: name, x, y, width, height, rx});
  const text = (name, x, y, ...words) => h("text", {class: name, x, y}, words);
  const draw = (name, d, more) => h("path", {class: name, d, ...more});

  // An arrowhead whose point is at x, y; and a hand, from its hub to such a point
  function tip(x, y, angle, size) {
    const back = (side) => at(x, y, angle + Math.PI + side, size);
    return points([[x, y], back(0.38), back(-0.38)]);
  }
  function hand(name, x, y, angle, r, size = 14) {
    const [end, head] = [at(x, y, angle, Math.max(0, r - size * 0.6)), at(x, y, angle, r)];
    return h("g", {class: `hand ${name}`}, line(null, x, y, ...end), h("polygon", {points: tip(...head, angle, Math.min(size, r))}));
  }

  const hatch = (id, gap) => h("pattern", {id, width: gap, height: gap, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)"},
    line("hatch", 0, 0, 0, gap));

  // Numbers below a picture: [value, what it counts, what it was, whether it is a cause for alarm]
  const gauges = (list) => h("ul", {class: "gauges", style: `--n: ${list.length}`}, list.map(([value, words, was, alarm]) =>
    h("li", {class: alarm ? "alarm" : null}, h("b", {}, value), h("span", {}, words), was ? h("small", {}, ` ${was}`) : null)));
  const picture = (name, {w, height}, label, ...kids) => h("svg", {class: `scene ${name}`, viewBox: `0 0 ${two(w)} ${two(height)}`,
    width: w, height, role: "group", "aria-label": label}, kids);
  const unspoken = (...kids) => h("g", {"aria-hidden": "true"}, kids); // what the picture's label and the handles say already

  Object.assign(scenes, {TURN, clamp, near, degrees, fixed, grouped, one, at, points, path, arc, sector, line, circle, rect, text, draw,
    tip, hand, hatch, gauges, picture, unspoken});
})(globalThis.ropescenes);
