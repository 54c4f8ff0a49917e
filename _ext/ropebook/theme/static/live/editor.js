// An editor in place of a cell's code. CodeMirror does the work; Tab leaves it, so that the keyboard is never caught.
export function editors({EditorState, EditorView, keymap, drawSelection, highlightSpecialChars, defaultKeymap, history, historyKeymap,
  HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting, python, tags}) {
  const kinds = [
    [[tags.keyword, tags.operatorKeyword, tags.bool, tags.null, tags.self], "keyword"], [[tags.string, tags.special(tags.string)], "string"],
    [tags.number, "number"], [tags.comment, "comment"], [[tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], "def"],
    [[tags.function(tags.variableName), tags.function(tags.propertyName)], "call"],
  ];
  const colours = HighlightStyle.define(kinds.map(([tag, name]) => ({tag, class: `cm-${name}`})));

  /** `run` is called on Shift + Enter. */
  return (code, label, run) => {
    const shift = {key: "Shift-Enter", run: () => { run(); return true; }};
    const view = new EditorView({
      state: EditorState.create({doc: code, extensions: [
        keymap.of([shift, ...defaultKeymap, ...historyKeymap]), history(), drawSelection(), highlightSpecialChars(), bracketMatching(),
        indentOnInput(), indentUnit.of("    "), python(), syntaxHighlighting(colours), EditorView.lineWrapping,
        EditorView.contentAttributes.of({"aria-label": label}),
      ]}),
    });
    return {get code() { return view.state.doc.toString(); }, element: view.dom};
  };
}
