// In a page: <rope-scene kind="..."> holds stills and a JSON script, and becomes live.
(function (scenes) {
  const {h, kinds, make, patch, clamp, say, view, move, begin, told} = scenes;
  scenes.define = (name, kind) => {
    kinds[name] = {questions: () => [], jobs: () => ({}), eased: [], ...kind, name};
    globalThis.document?.querySelectorAll("rope-scene").forEach((scene) => scene.wake?.());
  };
  if (!globalThis.customElements || customElements.get("rope-scene")) return;

  const calm = matchMedia("(prefers-reduced-motion: reduce)"), paper = matchMedia("print");
  const EVENTS = "touchstart pointerdown pointermove pointerup pointercancel keydown click".split(" ");
  const QUICK = 70, SLOW = 420; // milliseconds in which most of a way is gone: under a hand, and to an answer
  let count = 0;

  customElements.define("rope-scene", class extends HTMLElement {
    connectedCallback() { this.wake(); }
    disconnectedCallback() {
      this.watch?.disconnect();
      cancelAnimationFrame(this.frame);
      this.frame = undefined;
    }

    wake() {
      if (this.tree) return this.watch.observe(this); // moved to another place of the page
      const kind = kinds[this.getAttribute("kind")], script = this.querySelector("script");
      if (!kind || !script) return; // the still stays
      const data = JSON.parse(script.textContent), tree = h("div", {class: "stage"});
      Object.assign(this, {kind, data, tree, t: say(data.words), own: `scene${count++}-`, s: begin(kind, data)});
      this.e = this.s;
      this.box = make(tree);
      this.draw();
      this.replaceChildren(this.box);
      this.dataset.live = "";
      this.dataset.lmSuppressShortcuts = "true"; // or JupyterLab takes the arrow keys, to move between cells
      for (const type of EVENTS) this.box.addEventListener(type, this, {passive: false});
      this.watch = new ResizeObserver(() => {
        if (!this.clientWidth || this.clientWidth === this.wide) return;
        this.wide = this.clientWidth;
        this.box.style.minHeight = "";
        this.draw();
      });
      this.watch.observe(this);
      paper.addEventListener("change", () => this.print());
    }
    // What nobody has touched is printed as it tells most
    print() {
      this.told = paper.matches && !this.touched ? told(this.kind, this.data, this.t) : undefined;
      this.draw();
    }

    room() {
      const style = getComputedStyle(this), inner = this.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      return Math.max(280, inner || 0);
    }
    seen() { return {kind: this.kind, data: this.data, s: this.told ?? this.s, e: this.told ?? this.e, w: this.room(), t: this.t, id: this.own}; }
    controls() {
      const v = this.seen();
      return this.kind.controls({...v, l: this.kind.layout(v.w, this.data)});
    }
    draw() {
      const tree = h("div", {class: "stage"}, view(this.seen()));
      patch(this.box, this.tree, tree);
      this.tree = tree;
    }

    // What is shown follows what is true: at once for those who want no motion
    go(next, pace = QUICK) {
      this.s = {...this.s, ...next};
      this.touched = true;
      this.pace = calm.matches ? 0 : pace;
      this.last ??= performance.now();
      this.frame ??= requestAnimationFrame((now) => this.follow(now));
    }
    follow(now) {
      const part = this.pace ? 1 - Math.exp(-Math.max(8, now - this.last) / this.pace) : 1;
      let under = false;
      const toward = (from, to) => {
        if (Array.isArray(to)) return to.map((value, i) => toward(from[i], value));
        const gap = to - from;
        if (part === 1 || Math.abs(gap) < 0.004) return to;
        under = true;
        return from + gap * part;
      };
      this.e = {...this.s, ...Object.fromEntries(this.kind.eased.map((name) => [name, toward(this.e[name], this.s[name])]))};
      this.draw();
      this.last = under ? now : undefined;
      this.frame = under ? requestAnimationFrame((later) => this.follow(later)) : undefined;
    }

    put(id, value) {
      const c = this.controls()[id];
      if (c) this.go(c.set(c.wrap ? value : clamp(value, c.min, c.max)));
    }
    handleEvent(event) {
      const held = event.target.closest?.("[data-h]"), id = held?.dataset.h;
      // inside a drawing a browser does not heed touch-action: it would take the finger away, to scroll
      if (event.type === "touchstart") { if (id) event.preventDefault(); }
      else if (event.type === "click") this.press(event.target.closest("[data-do]"));
      else if (event.type === "keydown") { if (id) this.key(event, id); }
      else if (event.type === "pointerdown") { if (id && event.button === 0 && !this.held) this.take(event, held, id); }
      else if (event.pointerId !== this.by) return; // another finger
      else if (event.type === "pointermove" && event.buttons) this.put(this.held, this.controls()[this.held].at(...this.spot(event)) + this.slip);
      else this.leave();
    }
    press(button) {
      if (!button) return;
      this.box.style.minHeight = `${this.box.offsetHeight}px`; // a line less below does not pull the page up
      this.go(move(this.seen(), button.dataset.do), SLOW);
      // the button pressed may go with its question: the keyboard goes on from the first of the next
      requestAnimationFrame(() => button.isConnected || this.box.querySelector("[data-do]")?.focus({preventScroll: true}));
    }
    key(event, id) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const c = this.controls()[id], big = c.big ?? 5;
      const steps = c.keys?.[event.key] ?? {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: big, PageDown: -big}[event.key];
      const ends = {Home: c.min, End: c.max}[event.key];
      if (steps === undefined && ends === undefined) return;
      event.preventDefault();
      this.put(id, ends ?? (c.nudge ? c.nudge(steps) : c.value + steps * (c.step ?? 1)));
    }
    take(event, held, id) {
      event.preventDefault();
      held.focus({preventScroll: true});
      held.setPointerCapture(event.pointerId);
      const c = this.controls()[id];
      [this.held, this.by] = [id, event.pointerId];
      this.slip = c.value - c.at(...this.spot(event)); // taken beside its middle, it does not jump
      this.dataset.drag = id;
    }
    leave() {
      this.held = this.by = undefined;
      delete this.dataset.drag;
    }
    spot(event) {
      const svg = this.box.querySelector("svg.scene"), box = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / box.width;
      return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    }
  });
})(globalThis.ropescenes);
