// Guess, commit, then see. A scene's `questions` are a list, made of its data alone, so that an answer stays true whatever
// was moved meanwhile: {ask, choices: [[id, words], ...], right: id, then: what is to be seen, answer: words}. Instead of
// choices, `guess` may name a handle; `said` then tells what was guessed. `before` brings the scene to where a question starts.
(function (scenes) {
  const {h, none, markup, button} = scenes;

  const nth = (s) => Math.floor(s.step / 2); // each question takes two steps: it is asked, it is answered
  const question = (v) => v.kind.questions(v)[nth(v.s)];
  const asking = (v) => v.s.step % 2 === 0 && question(v);

  const box = (words, ...jobs) => h("div", {class: "ask"}, h("p", {"aria-live": "polite"}, words), h("p", {class: "jobs"}, jobs));
  // What stands above the picture: the question, its answer, or what else there is to try
  function ask(v) {
    const {s, t, kind} = v, list = kind.questions(v), now = list[nth(s)], last = now === list.at(-1);
    if (!now) {
      const [words, ...jobs] = kind.free(v);
      return box(words, jobs, button("again", t("From the start")));
    }
    if (s.step % 2 === 0) {
      const choices = now.choices ? now.choices.map(([id, words]) => button(`say ${id}`, words)) : button("say", t("Move and see"), true);
      return box([h("b", {}, t("Predict first")), " ", now.ask], choices, button("free", t("Skip")));
    }
    const chips = (now.choices ?? []).map(([id, words]) => {
      const mine = id === s.said, right = id === now.right;
      return h("span", {class: `chip${right ? " right" : ""}${mine ? " mine" : ""}`}, right ? "✓ " : mine ? "✗ " : null, words,
        mine ? h("small", {}, ` ${t("your guess")}`) : null);
    });
    return box([none(now.said) ? null : h("b", {}, now.said, " "), now.answer], chips, button("next", last ? t("Now you") : t("One more"), true));
  }

  // The box is as high as the longest of all that it will say: the picture never slips while one predicts
  const longest = new WeakMap();
  const letters = (node) => markup(node).replace(/<(?:button|span)[^>]*>/g, " ".repeat(14)).replace(/<[^>]*>/g, "").replace(/[\u3000-\uffff]/g, "  ").length;
  const ghost = (node) => (node?.tag ? h(node.tag, {...node.attrs, "data-do": null, "aria-live": null}, node.kids.map(ghost)) : node);
  function asks(v) {
    if (!longest.has(v.data)) {
      const list = v.kind.questions(v), kind = {...v.kind, questions: () => list}, s = {...v.s, moved: true};
      const all = [...list, ...list, 0].map((_, step) => ask({...v, kind, s: {...s, step, said: list[Math.floor(step / 2)]?.right}}));
      longest.set(v.data, all.sort((a, b) => letters(b) - letters(a)).slice(0, 3).map((one) => h("div", {class: "ask ghost", inert: ""}, ghost(one).kids)));
    }
    return h("div", {class: "asks"}, ask(v), longest.get(v.data));
  }

  // What a press on one of its buttons does to the state
  function move(v, job) {
    const {s, kind} = v, [verb, said] = job.split(" "), list = kind.questions(v);
    if (verb === "say") return {said, ...list[nth(s)].then, step: s.step + 1};
    if (verb === "next") return {said: null, ...list[nth(s) + 1]?.before, step: s.step + 1};
    if (verb === "free") return {step: 2 * list.length};
    if (verb === "again") return begin(kind, v.data);
    return kind.jobs(job, s);
  }
  const begin = (kind, data) => ({step: 0, said: null, ...kind.start(data)});
  // What paper gets, which can answer no question: the state that a scene names as telling, with all answered
  function told(kind, data, t) {
    const s = begin(kind, data);
    return {...s, ...kind.still?.(data, s), step: 2 * kind.questions({kind, data, s, e: s, t}).length};
  }

  Object.assign(scenes, {question, asking, asks, move, begin, told});
})(globalThis.ropescenes);
