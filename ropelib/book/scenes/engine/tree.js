// A picture is a tree of plain objects. It becomes text where there is no page, and in a page only what changed is touched.
"use strict"; // the files are served as one script, this one first
(function (scenes) {
  const SVG = "http://www.w3.org/2000/svg";

  // A child that is false or null keeps its place, so that its neighbours keep theirs: their focus and their pointer too.
  const h = (tag, attrs, ...kids) => ({tag, attrs: attrs || {}, kids: kids.flat(Infinity)});
  const none = (value) => value === null || value === undefined || value === false;
  const two = (value) => (typeof value === "number" ? Math.round(value * 100) / 100 : value);

  const escaped = (text) => String(text).replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt()};`);
  function markup(node) {
    if (none(node)) return "";
    if (!node.tag) return escaped(node);
    const attrs = Object.entries(node.attrs).filter(([, v]) => !none(v)).map(([k, v]) => ` ${k}="${escaped(two(v))}"`);
    return `<${node.tag}${attrs.join("")}>${node.kids.map(markup).join("")}</${node.tag}>`;
  }

  function make(node, drawn) {
    if (none(node)) return document.createTextNode("");
    if (!node.tag) return document.createTextNode(node);
    drawn ||= node.tag === "svg";
    const element = drawn ? document.createElementNS(SVG, node.tag) : document.createElement(node.tag);
    for (const [k, v] of Object.entries(node.attrs)) if (!none(v)) element.setAttribute(k, two(v));
    element.append(...node.kids.map((kid) => make(kid, drawn)));
    return element;
  }

  function patch(element, was, now, drawn) {
    drawn ||= now.tag === "svg";
    for (const k of Object.keys({...was.attrs, ...now.attrs})) {
      const value = now.attrs[k];
      if (was.attrs[k] === value) continue;
      if (none(value)) element.removeAttribute(k);
      else element.setAttribute(k, two(value));
    }
    while (element.childNodes.length > now.kids.length) element.lastChild.remove();
    now.kids.forEach((kid, i) => {
      const old = was.kids[i], there = element.childNodes[i];
      if (!there) element.append(make(kid, drawn));
      else if (kid?.tag && kid.tag === old?.tag) patch(there, old, kid, drawn);
      else if (kid?.tag || old?.tag) there.replaceWith(make(kid, drawn));
      else if (kid !== old) there.data = none(kid) ? "" : kid;
    });
  }

  Object.assign(scenes, {SVG, h, none, two, markup, make, patch});
})((globalThis.ropescenes ??= {kinds: {}}));
