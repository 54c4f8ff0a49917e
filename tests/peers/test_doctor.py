"""check_rope on the libraries that people run: each is named as what it is, and passes as what its settings say."""

import importlib

import numpy as np
import pytest

from ropelib import Rope, check_rope, from_config, inverse_frequencies

torch = importlib.import_module("torch")
transformers = importlib.import_module("transformers")
D = 64


def llama(config):
    """transformers' Llama: tables from positions, then the rotation of q and k."""
    module = importlib.import_module("transformers.models.llama.modeling_llama")
    rotary = module.LlamaRotaryEmbedding(config)

    def fn(q, k, positions):
        q, k, positions = map(torch.from_numpy, (q, k, positions))
        with torch.no_grad():
            cos, sin = rotary(q, positions[None])
            return module.apply_rotary_pos_emb(q, k, cos, sin)

    return fn


SCALED = {
    "default": {"rope_type": "default"},
    "linear": {"rope_type": "linear", "factor": 4.0},
    "dynamic": {"rope_type": "dynamic", "factor": 4.0},
    "yarn": {"rope_type": "yarn", "factor": 16.0, "original_max_position_embeddings": 1024},
    "llama3": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
               "original_max_position_embeddings": 1024},
    "longrope": {"rope_type": "longrope", "factor": 16.0, "original_max_position_embeddings": 1024,
                 "short_factor": np.linspace(1, 2, D // 2).tolist(), "long_factor": np.linspace(1, 8, D // 2).tolist()},
}  # fmt: skip


@pytest.mark.parametrize("kind", SCALED)
def test_llama_of_transformers(kind):
    longest = 16384 if kind in ("yarn", "longrope") else 2048
    parameters = {"rope_theta": 10000.0, **SCALED[kind]}
    sizes = {"hidden_size": 2 * D, "num_attention_heads": 2, "head_dim": D}
    config = sizes | {"max_position_embeddings": longest, "rope_parameters": parameters}
    fn = llama(transformers.LlamaConfig(**config))
    report = check_rope(fn, takes="q k positions", head_dim=D, expected=config)
    assert report.ok, str(report)
    assert report["layout"].value == "half" and report["offset"].value == 0
    if kind in ("default", "linear", "llama3"):
        wanted = {"default": "plain"}.get(kind, kind)
        assert (report["method"].value, report["method"].sure) == (wanted, True), str(report)
    wrong = check_rope(fn, takes="q k positions", head_dim=D, expected=Rope(inverse_frequencies(D, 5e5)))
    assert not wrong.ok and ("frequencies" in wrong.sentence or "scale" in wrong.sentence), str(wrong)


def test_gptj_neox_and_metas_complex_form():
    gptj = importlib.import_module("transformers.models.gptj.modeling_gptj")
    table = gptj.create_sinusoidal_positions(8192, 32)

    def turned(x):
        x = torch.from_numpy(x)
        sin, cos = torch.split(table[: x.shape[1]][None], 16, dim=-1)
        out = gptj.apply_rotary_pos_emb(x[..., :32], sin, cos)
        return torch.cat([out, x[..., 32:]], dim=-1)

    config = {"model_type": "gptj", "n_embd": 2 * D, "n_head": 2, "rotary_dim": 32}
    report = check_rope(turned, axes="bshd", head_dim=D, expected=config)
    assert report.ok and report["layout"].value == "interleaved" and report["rotary_dim"].value == 32, str(report)

    neox = importlib.import_module("transformers.models.gpt_neox.modeling_gpt_neox")
    config = transformers.GPTNeoXConfig(hidden_size=2 * D, num_attention_heads=2, rotary_pct=0.25)
    rotary = neox.GPTNeoXRotaryEmbedding(config)

    def both(q, k, positions):
        q, k, positions = map(torch.from_numpy, (q, k, positions))
        cos, sin = rotary(q, positions[None])
        return neox.apply_rotary_pos_emb(q, k, cos, sin)

    report = check_rope(both, takes="q k positions", head_dim=D)
    assert report["layout"].value == "half" and report["rotary_dim"].value == 16 and report["base"].value == 1e4, str(report)

    def meta(x):
        x = torch.from_numpy(x)
        angles = torch.outer(torch.arange(x.shape[1]).float(), 1 / 1e4 ** (torch.arange(0, D, 2).float() / D))
        turn = torch.polar(torch.ones_like(angles), angles)[None, :, None]
        return torch.view_as_real(torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2)) * turn).flatten(3)

    report = check_rope(meta, axes="bshd", head_dim=D, expected=Rope(inverse_frequencies(D), layout="interleaved"))
    assert report.ok, str(report)


def test_lucidrains():
    rotary = importlib.import_module("rotary_embedding_torch").RotaryEmbedding(D)
    interleaved = Rope(inverse_frequencies(D), layout="interleaved")
    report = check_rope(lambda x: rotary.rotate_queries_or_keys(torch.from_numpy(x)), head_dim=D, expected=interleaved)
    assert report.ok, str(report)
    bf16 = check_rope(lambda x: rotary.rotate_queries_or_keys(torch.from_numpy(x).bfloat16()), head_dim=D)
    assert bf16["layout"].value == "interleaved" and bf16["format"].value == "bfloat16"

    module = importlib.import_module("x_transformers.x_transformers")
    turning = module.RotaryEmbedding(D)

    def fn(x):
        x = torch.from_numpy(x)
        freqs, scale = turning(torch.arange(x.shape[-2]))
        return module.apply_rotary_pos_emb(x, freqs, scale)

    report = check_rope(fn, head_dim=D, expected=interleaved)
    assert report.ok, str(report)


def test_deepseeks_slice_and_gemma_4s_proportional():
    module = importlib.import_module("transformers.models.deepseek_v3.modeling_deepseek_v3")
    angles = torch.outer(torch.arange(8192).float(), torch.from_numpy(inverse_frequencies(32)).float())
    cos, sin = (torch.cat([f(angles)] * 2, dim=-1) for f in (torch.cos, torch.sin))

    def latent(q, k):
        """The last 32 channels of 96, as the model's attention does; back in the order that came in."""
        n = q.shape[-2]
        turned = []
        for x in map(torch.from_numpy, (q, k)):
            out, _ = module.apply_rotary_pos_emb_interleave(x[..., 64:], x[..., 64:], cos[None, :n], sin[None, :n])
            turned.append(torch.cat([x[..., :64], torch.stack(out.chunk(2, dim=-1), dim=-1).flatten(-2)], dim=-1))
        return turned

    config = {"model_type": "deepseek_v3", "qk_nope_head_dim": 64, "qk_rope_head_dim": 32, "rope_theta": 10000.0}
    report = check_rope(latent, takes="q k", head_dim=96, expected=config)
    assert report.ok and report["rotary_start"].value == 64 and report["layout"].value == "interleaved", str(report)

    parameters = {"rope_type": "proportional", "rope_theta": 1e6, "partial_rotary_factor": 0.25}
    config = {"hidden_size": 2 * D, "num_attention_heads": 2, "head_dim": D, "rope_parameters": parameters}
    report = check_rope(llama(transformers.LlamaConfig(**config)), takes="q k positions", head_dim=D, expected=config)
    assert report.ok and report["method"].value == "proportional" and report["method"].sure, str(report)


def test_qwen2_vl_axes():
    module = importlib.import_module("transformers.models.qwen2_vl.modeling_qwen2_vl")
    sections = [8, 12, 12]
    parameters = {"rope_theta": 1e6, "rope_type": "default", "mrope_section": sections}
    config = {"hidden_size": 2 * D, "num_attention_heads": 2, "rope_parameters": parameters}
    made = importlib.import_module("transformers.models.qwen2_vl.configuration_qwen2_vl").Qwen2VLTextConfig(**config)
    rotary = module.Qwen2VLRotaryEmbedding(made)

    def fn(q, k, positions):
        q, k, positions = map(torch.from_numpy, (q, k, positions))
        cos, sin = rotary(q, positions[:, None])
        if cos.ndim == 4:
            return module.apply_multimodal_rotary_pos_emb(q, k, cos, sin, sections)
        return module.apply_rotary_pos_emb(q, k, cos, sin)

    expected = from_config({"model_type": "qwen2_vl", "head_dim": D, "rope_parameters": parameters | {"rope_type": "mrope"}})
    report = check_rope(fn, takes="q k positions", position_axes=3, head_dim=D, expected=expected)
    assert report.ok and report["axes"].value == [0] * 8 + [1] * 12 + [2] * 12, str(report)
