// A wheel's files, unpacked by the browser while Python starts: Python's own zipfile takes ten times as long. A book that
// serves Pyodide itself has them compressed as one piece, which is quicker still (ropebook/live/bytecode.py).
const END = 0x06054b50, ENTRY = 0x02014b50, DEFLATED = 8, GZIP = 0x1f8b;
const words = new TextDecoder();

const inflate = (packed, form) => new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream(form))).arrayBuffer();

/** Resolves with [name, bytes] of each file in the archive `buffer`. */
export async function unzip(buffer) {
  if (new DataView(buffer).getUint16(0) === GZIP) buffer = await inflate(buffer, "gzip");
  const view = new DataView(buffer);
  let end = buffer.byteLength - 22;
  while (view.getUint32(end, true) !== END) end--; // throws where there is none
  const files = [];
  for (let count = view.getUint16(end + 10, true), at = view.getUint32(end + 16, true); count--;) {
    if (view.getUint32(at, true) !== ENTRY) throw new Error("not an archive");
    const [name, more, remark] = [28, 30, 32].map((field) => view.getUint16(at + field, true));
    const path = words.decode(new Uint8Array(buffer, at + 46, name)), local = view.getUint32(at + 42, true);
    const begin = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const packed = new Uint8Array(buffer, begin, view.getUint32(at + 20, true));
    if (!path.endsWith("/")) files.push(Promise.all([path, view.getUint16(at + 10, true) === DEFLATED ? inflate(packed, "deflate-raw").then((bytes) => new Uint8Array(bytes)) : packed.slice()]));
    at += 46 + name + more + remark;
  }
  return Promise.all(files);
}
