"""Every scene is whole: its words in both languages, its stills, its questions, its weight."""

import gzip
import re
import tomllib

import pytest
import rules

from ropelib.book import labels, scenes
from ropelib.book.scenes import parts, stage

HAN = re.compile(r"[\u3400-\u9fff]")
every = pytest.mark.parametrize("kind", scenes.KINDS)
both = pytest.mark.parametrize("language", labels.LANGUAGES)


@every
def test_scripts_are_light(kind):
    for name in (None, kind):
        assert len(gzip.compress(parts.script(name).encode())) <= 6_000
        assert len(gzip.compress(parts.style(name).encode())) <= 2_500


@pytest.mark.parametrize("kind", (None, *scenes.KINDS))
def test_no_note_is_left_to_swallow_the_line_after_it(kind):
    assert not re.search("(?<!:)//", parts.script(kind))


@every
@both
def test_what_a_notebook_keeps_is_small_and_whole(kind, language):
    labels.use(language)
    stored = scenes.scene(kind)._repr_html_()
    assert len(stored.encode()) <= rules.SCENE
    assert stored.startswith("<rope-scene") and "<img alt=" in stored and stored.count("</script>") == 2


@every
@both
def test_stills_are_whole(kind, language):
    labels.use(language)
    scene = scenes.scene(kind)
    for width in (stage.WIDE, stage.NARROW):
        svg = scene.still(width)
        assert svg.count("<svg") == svg.count("</svg>") == 1
        assert not re.search("NaN|undefined|Infinity", svg)
        assert "slider" not in svg and "tabindex" not in svg and "data-h" not in svg
        used, given = (set(re.findall(mark, svg)) for mark in (r"var\((--s-\w+)", r"(--s-\w+):#"))
        assert used and used <= given, "colours that a picture without a page does not know"
        assert all(-1 <= float(x) <= width + 1 for x in re.findall(r'<text[^>]* x="([-\d.]+)"', svg))
        words = "".join(re.findall(r'<text(?! class="glyph)[^>]*>([^<]*)', svg))  # a poem stays what it is
        assert bool(HAN.search(words)) == (language == "zh-Hant")
    assert scene.data["alt"] in stage.page(kind, scene.data)


@every
def test_numbers_in_words_are_the_same_in_both_languages(kind):
    said = []
    for language in labels.LANGUAGES:
        labels.use(language)
        said.append(repr(scenes.scene(kind)))
    assert said[0] == said[1] and re.search(r"\d", said[0]) and not HAN.search(said[0])


@pytest.mark.parametrize("kind", (None, *scenes.KINDS))
def test_every_word_is_literal_so_that_its_chinese_can_be_found(kind):
    calls = re.findall(r"(?<![\w.])t\((?!\))[^\n]{0,90}", parts.script(kind))
    odd = [c for c in calls if not re.match(r't\("|t\([^"]*? \? "', c)]
    assert calls and not odd


@every
def test_its_words_are_those_it_says(kind):
    for name, said in (("engine", parts.keys()), (kind, parts.keys(kind))):
        own = tomllib.loads((labels.FOLDER / "scenes" / f"{name}.toml").read_text("utf-8"))
        builder = "" if name == "engine" else (parts.HERE / f"{name.replace('-', '_')}.py").read_text("utf-8")
        builder = re.sub(r'"\s*\n\s*"', "", builder)
        assert [w for w in own if w not in said and w not in builder] == [], "nobody says"
        assert [w for w in said if w not in parts.chinese(kind)] == [], "without Chinese"
        for key, word in own.items():
            assert sorted(re.findall(r"\{(\w+)\}", key)) == sorted(re.findall(r"\{(\w+)\}", word))
            assert list(rules.chinese_words(word)) == list(rules.chinese_typing(word)) == []


@every
def test_its_state_leaves_the_engines_names_alone(kind, js):
    assert not {"step", "said"} & set(js(f"ropescenes.kinds['{kind}'].start(SCENES['{kind}'])"))


@every
def test_its_questions_can_be_answered(kind, js):
    questions = js(f"ropescenes.kinds['{kind}'].questions(held('{kind}', first('{kind}')))")
    assert questions, "a scene asks for a guess"
    for question in questions:
        assert question["ask"] and question["answer"] and question["then"]
        if "choices" in question:
            ids = [choice[0] for choice in question["choices"]]
            assert question["right"] in ids and len(set(ids)) == len(ids) >= 2
        else:
            assert question["guess"] is not None and isinstance(question["value"], (int, float))


@every
@pytest.mark.parametrize("width", [320, stage.NARROW, 430, 559, 560, stage.WIDE, 900])
def test_every_state_can_be_drawn(kind, width, js):
    assert js(f"states('{kind}').map(([name, s]) => [name, strange(drawn('{kind}', s, {width}))]).filter((x) => x[1])") == []
    assert js(f"reach('{kind}').map(([name, s]) => [name, strange(drawn('{kind}', s, {width}))]).filter((x) => x[1])") == []


@every
def test_handles_speak_in_words(kind, js):
    """Each has a name, a text for its value, an order of its ends; and its ends are other words than its start."""
    for name, c, low, high in js(f"""Object.entries(held('{kind}', states('{kind}').at(-1)[1]).c).map(([id, c]) => [id, c,
            held('{kind}', put('{kind}', states('{kind}').at(-1)[1], id, c.min)).c[id],
            held('{kind}', put('{kind}', states('{kind}').at(-1)[1], id, c.max)).c[id]])"""):
        assert c["name"] and c["text"] and c["min"] < c["max"], name
        assert c["min"] - 1e-9 <= c["value"] <= c["max"] + 1e-9, name
        assert low["text"] != high["text"] or c.get("wrap"), name


def test_a_kind_that_does_not_exist_is_named():
    with pytest.raises(ValueError, match=r"kind: got 'two-hand', expected one of .*; did you mean 'two-hands'\?"):
        scenes.scene("two-hand")
