// Without a browser: the first state, the part of a page that the live scene will replace; and the telling one, for paper, for
// readers without scripts, and as a picture of its own.
(function (scenes) {
  const {h, SVG, markup, kinds, asks, begin, told} = scenes;

  const say = (words) => (key, values = {}) => (words[key] ?? key).replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

  // A view is a pure function of the state `s`, the state as shown while it follows `e`, the width `w`, and the words `t`
  function view(v) {
    const {kind} = v, l = kind.layout(v.w, v.data);
    return [asks({...v, l}), kind.view({...v, l, c: kind.controls({...v, l})})].flat();
  }
  function drawn(name, data, w, s, alt) {
    const kind = kinds[name], nodes = view({kind, data, s, e: s, w, t: say(data.words), id: `${name}-${w}-${alt ? "" : "told-"}`, still: true});
    return nodes.map((node) => (node?.tag === "svg" ? {...node, attrs: {...node.attrs, role: "img", "aria-label": alt ?? node.attrs["aria-label"]}} : node));
  }
  const first = (name, data, w) => drawn(name, data, w, begin(kinds[name], data), data.alt);
  const last = (name, data, w) => drawn(name, data, w, told(kinds[name], data, say(data.words)));
  // Nobody can take hold of a still
  const asleep = (text) => text.replace(/ (?:role="slider"|tabindex="0"|data-h="[\w-]+"|aria-(?:value|ori)\w+="[^"]*")/g, "")
    .replace(/(<g class="handle[^>]*?) aria-label="[^"]*"/g, "$1").replace(/<rect class="grip"[^>]*><\/rect>/g, "");
  const still = (name, data, w) => asleep(markup(last(name, data, w).filter((node) => node?.tag === "svg").map((svg) =>
    ({...svg, attrs: {xmlns: SVG, ...svg.attrs}}))[0]));
  const part = (name, data, w) => asleep(markup(h("div", {class: "stage"}, first(name, data, w))));

  const paper = (name, data, w) => !kinds[name].still ? "" : asleep(markup(h("div", {class: "stage"}, last(name, data, w).filter((node) => node?.attrs.class !== "asks"))));

  Object.assign(scenes, {say, view, still, part, paper});
})(globalThis.ropescenes);
