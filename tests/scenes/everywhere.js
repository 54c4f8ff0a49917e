(kind) => {
    // In every state that a scene can be brought to: what is wrong with how it looks, and the words that are seen or spoken
    const scene = document.querySelector(`rope-scene[kind=${kind}]`), before = [scene.s, scene.e], faults = new Set(), words = new Set();
    const all = (query) => [...scene.querySelectorAll(query)], box = (element) => element.getBoundingClientRect();
    const seen = (element) => element.textContent.trim() && element.checkVisibility({visibilityProperty: true});
    const small = (element) => parseFloat(getComputedStyle(element).fontSize) < 11;
    // Letters reach over the middle three fifths of a line's height
    const meet = ([a], [b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
        && Math.min(a.bottom - 0.2 * a.height, b.bottom - 0.2 * b.height) > Math.max(a.top + 0.2 * a.height, b.top + 0.2 * b.height);

    for (const [name, s] of [...states(kind), ...reach(kind), ...pressed(kind)]) {
        scene.s = scene.e = s;
        scene.draw();
        const fault = (what) => faults.add(`${what} (${name})`), frame = box(scene), svg = scene.querySelector("svg.scene"), edge = box(svg);
        for (const element of all("p, span, small, b, li, button").filter(seen)) {
            const {left, right} = box(element);
            if (small(element)) fault(`small: ${element.textContent}`);
            if (left < frame.left - 1 || right > frame.right + 1) fault(`outside: ${element.textContent}`);
            if (!element.children.length) words.add(element.textContent);
        }
        const texts = all("svg.scene text").filter(seen).map((element) => [box(element), element]);
        texts.forEach(([place, element], i) => {
            const said = element.textContent;
            words.add(said);
            if (small(element)) fault(`small: ${said}`);
            if (place.left < edge.left - 1 || place.right > edge.right + 1 || place.top < edge.top - 1 || place.bottom > edge.bottom + 1) fault(`cut: ${said}`);
            for (const [other, its] of texts.slice(i + 1)) // two handles may be brought to one place
                if (meet([place], [other]) && !(element.closest(".handle") && its.closest(".handle"))) fault(`one over the other: ${said} | ${its.textContent}`);
        });
        for (const handle of all(".handle")) {
            const {width, height} = box(handle.querySelector(".grip"));
            const [low, now, high] = ["min", "now", "max"].map((end) => parseFloat(handle.getAttribute(`aria-value${end}`)));
            if (Math.min(width, height) < 39.9) fault(`a small grip: ${handle.dataset.h}`);
            if (!(low <= now && now <= high)) fault(`beyond its ends: ${handle.dataset.h}`);
            for (const attribute of ["aria-label", "aria-valuetext"]) words.add(handle.getAttribute(attribute) || fault(`unnamed: ${handle.dataset.h}`));
        }
        for (const button of all("button")) if (button.checkVisibility() && box(button).height < 32) fault(`a small button: ${button.textContent}`);
        words.add(svg.getAttribute("aria-label"));
    }
    [scene.s, scene.e] = before;
    scene.draw();
    return [[...faults], [...words].filter((word) => typeof word === "string")];
}
