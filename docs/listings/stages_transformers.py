"""The eight stages of every layer of a Llama in transformers."""

from transformers.models.llama import modeling_llama as llama


def stages(model, ids):  # ids: (1, tokens)
    """A dict a layer; load with attn_implementation="eager"."""
    found, hooks, turn = [], [], llama.apply_rotary_pos_emb

    def saving(q, k, *more):
        out = turn(q, k, *more)
        here = {"q": q, "k": k, "turned_q": out[0], "turned_k": out[1]}
        found[-1].update({name: x[0] for name, x in here.items()})
        return out

    def begin(module, x, y):  # v comes last before the rotation
        v = y[0].unflatten(-1, (-1, model.config.head_dim))
        found.append({"v": v.transpose(0, 1)})

    def attended(module, x, y):
        found[-1].update(mixed=y[0][0], weights=y[1][0])

    def end(module, x, y):
        found[-1]["out"] = (y[0] if isinstance(y, tuple) else y)[0]

    for layer in model.model.layers:
        attention = layer.self_attn
        hooks += [attention.v_proj.register_forward_hook(begin),
                  attention.register_forward_hook(attended),
                  layer.register_forward_hook(end)]
    llama.apply_rotary_pos_emb = saving
    try:
        model(ids)
    finally:
        llama.apply_rotary_pos_emb = turn
        for hook in hooks:
            hook.remove()
    return [{name: x.detach().float().numpy()
             for name, x in layer.items()} for layer in found]
