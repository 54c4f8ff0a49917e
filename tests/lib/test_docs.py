"""Every public name says what it takes, gives, raises and stands on, with an example that runs."""

import doctest
import inspect
import re

import numpy as np
import pytest

import ropelib

PUBLIC = {name: getattr(ropelib, name) for name in ropelib.__all__}
METHODS = {
    f"{cls.__name__}.{name}": member
    for cls in (ropelib.Rope, ropelib.KVCache)
    for name, member in vars(cls).items()
    if inspect.isfunction(member) and not name.startswith("_")
}


@pytest.mark.parametrize("name", [*PUBLIC, *METHODS])
def test_docstring(name):
    thing = PUBLIC.get(name) or METHODS[name]
    doc = inspect.getdoc(thing)
    sections = [line for line, under in zip(doc.splitlines(), doc.splitlines()[1:], strict=False) if set(under) == {"-"}]
    wanted = ["Parameters", "Raises", "Examples"]
    if name in PUBLIC:
        wanted.append("References")
    if not inspect.isclass(thing):
        wanted.append("Returns")
    assert not set(wanted) - set(sections), f"{name} lacks {set(wanted) - set(sections)}"
    documented = doc.split("Parameters\n----------")[1].split("\n\n")[0]
    for parameter in inspect.signature(thing).parameters:
        assert parameter == "self" or any(
            parameter in line.split(":")[0].split(" or ")[0].replace(",", " ").split()
            for line in documented.splitlines()
            if line and not line.startswith(" ")
        ), f"{name} says nothing about {parameter}"


def test_help_begins_with_a_map_of_all_names():
    named = re.findall(r"\w+", ropelib.__doc__.partition("\n\n")[2])
    assert [name for name in ropelib.__all__ if named.count(name) != 1] == []


@pytest.mark.parametrize("name", PUBLIC)
def test_example(name):
    names = {**PUBLIC, "np": np}
    tests = [test for test in doctest.DocTestFinder().find(PUBLIC[name], name, globs=names) if test.examples]
    assert tests, f"{name} has no example"
    for test in tests:
        result = doctest.DocTestRunner().run(test)
        assert result.failed == 0 and result.attempted > 0
