// The controls of `interact`: native ones, each with its name and its value beside it.
function input(control, changed) {
  if (control.kind === "choice") {
    const made = document.createElement("select");
    made.append(...control.choices.map((choice, k) => new Option(choice, k)));
    made.addEventListener("change", () => changed(control.choices[made.value]));
    return made;
  }
  const made = Object.assign(document.createElement("input"), control.kind === "check" ? {type: "checkbox", checked: control.value}
    : {type: "range", min: control.min, max: control.max, step: control.step, value: control.value});
  made.addEventListener("input", () => changed(control.kind === "check" ? made.checked : Number(made.value)));
  return made;
}

/** `call(number, values, put)` runs the function again; what it puts out replaces what it put out before. */
export function controls({call: number, controls: all}, outputs, call) {
  const box = Object.assign(document.createElement("div"), {className: "live-controls-of"});
  const values = Object.fromEntries(Object.entries(all).map(([name, control]) => [name, control.value]));
  const start = outputs.all.length; // what stands behind the controls is the function's
  let busy = false, again = false;
  const moved = async () => {
    if (busy) { again = true; return; }
    busy = true;
    do {
      again = false;
      const fresh = [];
      await call(number, values, (output) => fresh.push(output));
      outputs.cut(start);
      fresh.forEach((output) => outputs.add(output));
    } while (again);
    busy = false;
  };
  for (const [name, control] of Object.entries(all)) {
    const row = document.createElement("label"), value = document.createElement("output");
    value.textContent = control.kind === "range" ? control.value : "";
    row.append(name, input(control, (now) => { values[name] = now; if (control.kind === "range") value.textContent = now; moved(); }), value);
    box.append(row);
  }
  return box;
}
