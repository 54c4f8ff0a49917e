// What is taken hold of. A handle is a slider: it has a name, a value, its value in words, and a grip as large as a finger.
(function (scenes) {
  const {h, two, clamp, rect, draw, text} = scenes;

  const handle = (id, c, [x, y, width, height], ...shape) =>
    h("g", {
      class: `handle ${id}`, "data-h": id, role: "slider", tabindex: 0, "aria-label": c.name, "aria-valuetext": c.text,
      "aria-valuemin": two(c.min), "aria-valuemax": two(c.max), "aria-valuenow": two(c.value),
      "aria-orientation": c.upright ? "vertical" : null,
    }, rect("grip", x, y, width, height, 9), shape);

  // A round handle, with room for a finger around it
  const knob = (id, c, x, y, r = 10) =>
    handle(id, c, [x - 22, y - 22, 44, 44], h("circle", {class: "knob", cx: x, cy: y, r}), h("circle", {class: "dot", cx: x, cy: y, r: r / 3}));

  // A handle with words on it, pointing at x from below (up) or from above; `under` is drawn beneath it
  function tag(id, c, {x, y, up, width, reach, within, words}, ...under) {
    const left = clamp(x - width / 2, 0, within - width), foot = clamp(x, left + 9, left + width - 9);
    const side = up ? y : y + 26, point = up ? y - reach : y + 26 + reach;
    const box = `M${left + 6} ${y}h${width - 12}a6 6 0 0 1 6 6v14a6 6 0 0 1 -6 6h${12 - width}a6 6 0 0 1 -6 -6v-14a6 6 0 0 1 6 -6Z`;
    return handle(id, c, [left - 2, Math.min(y - 9, point), width + 4, 44], under,
      draw("tag", `${box}M${foot - 6} ${side}L${x} ${point}L${foot + 6} ${side}Z`), text("on", left + width / 2, y + 18, words));
  }

  // A slider of its own, for what no shape in the picture stands for: a rail with a knob
  function rail(id, c, {x, y, width, words}) {
    const there = x + ((clamp(c.value, c.min, c.max) - c.min) / (c.max - c.min)) * width;
    return h("g", {class: `rail ${id}`}, rect("slot", x, y - 2, width, 4, 2), rect("way", x, y - 2, there - x, 4, 2),
      words ? text("name start", x, y - 18, words) : null, knob(id, c, there, y));
  }

  const button = (job, words, main) => h("button", {type: "button", class: main ? "main" : null, "data-do": job}, words);
  // One of several that can be chosen
  const choice = (job, words, on) => h("button", {type: "button", class: "choice", "data-do": job, "aria-pressed": `${!!on}`}, words);

  Object.assign(scenes, {handle, knob, tag, rail, button, choice});
})(globalThis.ropescenes);
