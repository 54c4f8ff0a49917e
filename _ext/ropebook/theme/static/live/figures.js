// Live figures become part of the page, as the stored ones are: its colours, its fonts, ids of their own.
const KIND = "image/svg+xml";
let count = 0;

function part(text) {
  const mark = `live${count++}-`;
  const own = text.slice(text.indexOf("<svg")).replaceAll("#000000", "currentColor")
    .replace(/(\bid="|href="#|url\(#)(?=[\w.-])/g, `$1${mark}`);
  const svg = document.importNode(new DOMParser().parseFromString(own, KIND).documentElement, true);
  svg.querySelectorAll("metadata, style").forEach((node) => node.remove()); // a style would reach the whole page
  Object.assign(svg.style, {strokeLinejoin: "round", strokeLinecap: "butt"});
  svg.classList.add("ropelib");
  svg.setAttribute("role", "img");
  svg.setAttribute("fill", "currentColor");
  return svg;
}

export function inlineFigures(rendermime) {
  const plain = rendermime.getFactory(KIND);
  rendermime.addFactory({...plain, safe: true, mimeTypes: [KIND], createRenderer: (options) => {
    const made = plain.createRenderer(options);
    made.renderModel = async (model) => made.node.replaceChildren(part(String(model.data[KIND])));
    return made;
  }}, 0);
}
