// Without a browser: the first state as a picture of its own, or as the part of a page that the live scene will replace.
(function (scenes) {
  "use strict";
  const {h, SVG, markup, kinds, ask, begin} = scenes;

  const say = (words) => (key, values = {}) => (words[key] ?? key).replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

  // A view is a pure function of the state `s`, the state as shown while it follows `e`, the width `w`, and the words `t`
  function view(v) {
    const {kind} = v, l = kind.layout(v.w, v.data);
    return [ask(v), kind.view({...v, l, c: kind.controls({...v, l})})].flat();
  }
  function first(name, data, w) {
    const kind = kinds[name], s = begin(kind, data), nodes = view({kind, data, s, e: s, w, t: say(data.words), id: `${name}-${w}-`, still: true});
    return nodes.map((node) => (node?.tag === "svg" ? {...node, attrs: {...node.attrs, role: "img", "aria-label": data.alt}} : node));
  }
  // Nobody can take hold of a still
  const asleep = (text) => text.replace(/ (?:role="slider"|tabindex="0"|data-h="[\w-]+"|aria-(?:value|ori)\w+="[^"]*")/g, "")
    .replace(/(<g class="handle[^>]*?) aria-label="[^"]*"/g, "$1").replace(/<rect class="grip"[^>]*><\/rect>/g, "");
  const still = (name, data, w) => asleep(markup(first(name, data, w).filter((node) => node?.tag === "svg").map((svg) =>
    ({...svg, attrs: {xmlns: SVG, ...svg.attrs}}))[0]));
  const part = (name, data, w) => asleep(markup(h("div", {class: "stage"}, first(name, data, w))));

  Object.assign(scenes, {say, view, still, part});
})(globalThis.ropescenes);
