"""The eight stages of every layer of a model in transformers."""

import sys

import torch

STAGES = ("q", "k", "v", "turned_q", "turned_k", "weights", "mixed",
          "out")


def stages(model, ids, **how):  # ids: (1, tokens)
    """A dict a layer; `how` goes to the model (position_ids=)."""
    layers, found, hooks = model.model.layers, [], []
    home = sys.modules[type(layers[0].self_attn).__module__]
    turn = getattr(home, "apply_rotary_pos_emb", None)
    if turn is None:
        raise ValueError(f"no apply_rotary_pos_emb in {home.__name__}")

    def begin(module, x):
        found.append({})

    def value(module, x, y):
        found[-1]["v"] = y

    def turning(q, k, *more, **how):
        out = turn(q, k, *more, **how)
        if not isinstance(out, tuple):
            raise ValueError("q and k are not turned in one call")
        found[-1].update(q=q, k=k, turned_q=out[0], turned_k=out[1])
        return out

    def attended(module, x, y):
        if y[1] is None:
            raise ValueError('load with attn_implementation="eager"')
        v = found[-1]["v"].unflatten(-1, (-1, module.head_dim))
        found[-1].update(v=v.transpose(1, 2), mixed=y[0], weights=y[1])

    def end(module, x, y):
        found[-1]["out"] = y[0] if isinstance(y, tuple) else y

    for layer in layers:
        attention = layer.self_attn
        hooks += [layer.register_forward_pre_hook(begin),
                  attention.v_proj.register_forward_hook(value),
                  attention.register_forward_hook(attended),
                  layer.register_forward_hook(end)]
    home.apply_rotary_pos_emb = turning
    try:
        with torch.inference_mode():
            model(ids, **how)
    finally:
        home.apply_rotary_pos_emb = turn
        for hook in hooks:
            hook.remove()
    for n, layer in enumerate(found):
        missing = [stage for stage in STAGES if stage not in layer]
        if missing:
            raise ValueError(f"layer {n}: did not see {missing}")
    return [{stage: layer[stage][0].float().cpu().numpy()
             for stage in STAGES} for layer in found]
