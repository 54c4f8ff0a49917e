"""Settings that models were published with: what their `config.json` says of rotation and of the cache, typed in by hand.

Keys and values are as published, other keys are left out. `hub` is where the file stands (https://huggingface.co/<hub>),
`seen` is where these values were read, in November 2026. Nothing is fetched.
"""

from dataclasses import dataclass, field
from typing import Any

_SLIDING, _FULL, _LINEAR = "sliding_attention", "full_attention", "linear_attention"
_TRANSFORMERS = "huggingface/transformers v5.24.0, configuration_{}.py"
_CONFIGS = "ai-dynamo/aiconfigurator, model_configs"
_COPIES = "copies, not compared with the original file"
_GOLDEN = "golden.json of this project, compared with transformers"
_LITGPT = "Lightning-AI/litgpt, litgpt/config.py"


@dataclass(frozen=True)
class Published:
    """One model's settings, with the year of its release and both sources."""

    name: str
    year: int
    hub: str
    seen: str
    config: dict[str, Any] = field(repr=False)


def _read(name: str, year: int, hub: str, seen: str, config: dict[str, Any]) -> tuple[str, Published]:
    return name, Published(name, year, hub, seen if " " in seen else _TRANSFORMERS.format(seen), config)


def _llama3(factor: float, high: float = 4.0) -> dict[str, Any]:
    own = {"rope_type": "llama3", "factor": factor, "low_freq_factor": 1.0, "high_freq_factor": high}
    return own | {"original_max_position_embeddings": 8192}


def _yarn(factor: float, length: int, **more: Any) -> dict[str, Any]:
    return {"type": "yarn", "factor": factor, "original_max_position_embeddings": length, **more}


_DEEPSEEK = {"num_attention_heads": 128, "num_key_value_heads": 128, "num_hidden_layers": 61, "hidden_size": 7168}
_DEEPSEEK |= {"q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128}
_DEEPSEEK |= {"max_position_embeddings": 163_840, "rope_theta": 10_000}
_DEEPSEEK |= {"rope_scaling": _yarn(40, 4096, beta_fast=32, beta_slow=1, mscale=1.0, mscale_all_dim=1.0)}

# Phi-3-mini-128k: a divisor for each pair of channels, found by search
_SHORT = [1.05] * 3 + [1.1] * 3 + [1.25] * 2 + [1.4, 1.45, 1.55, 1.85, 1.9] + [2.0] * 19
_SHORT += [2.1, 2.1, 2.2, 2.35, 2.35, 2.35, 2.35, 2.4, 2.4, 2.65, 2.7, 2.9, 2.95, 3.05, 3.05, 3.05]
_LONG = [1.03, 1.05, 1.05, 1.08, 1.23, 1.23, 1.3, 1.45, 1.6, 1.65, 1.9, 2.86, 3.69, 5.42, 5.49, 5.49, 9.09, 11.58, 15.66]
_LONG += [15.77, 15.79, 18.36, 21.99, 23.08, 30.01, 32.35, 32.59, 35.56, 39.95, 53.84, 56.2, 57.95, 59.29, 59.77, 59.92]
_LONG += [61.19, 61.96, 62.5, 63.37, 63.48, 63.48, 63.66, 63.85, 64.08, 64.76, 64.8, 64.81, 64.81]


def _heads(width: int, heads: int, shared: int | None, layers: int, length: int, **more: Any) -> dict[str, Any]:
    own = {"hidden_size": width, "num_attention_heads": heads, "num_key_value_heads": shared, "num_hidden_layers": layers}
    return own | {"max_position_embeddings": length} | more


MODELS: dict[str, Published] = dict(
    [
        _read("GPT-J 6B", 2021, "EleutherAI/gpt-j-6b", "kingoflolz/mesh-transformer-jax, configs/6B_roto_256.json",
              {"model_type": "gptj", "n_embd": 4096, "n_head": 16, "n_layer": 28, "n_positions": 2048, "rotary_dim": 64}),
        _read("GPT-NeoX 20B", 2022, "EleutherAI/gpt-neox-20b", "EleutherAI/gpt-neox, configs/20B.yml",
              {"model_type": "gpt_neox", "hidden_size": 6144, "num_attention_heads": 64, "num_hidden_layers": 44,
               "max_position_embeddings": 2048, "rotary_pct": 0.25, "rotary_emb_base": 10_000}),
        _read("Llama 2 7B", 2023, "meta-llama/Llama-2-7b-hf", _LITGPT,
              {"model_type": "llama", **_heads(4096, 32, 32, 32, 4096), "rope_scaling": None}),
        _read("Mistral 7B v0.1", 2023, "mistralai/Mistral-7B-v0.1", _GOLDEN,
              {"model_type": "mistral", **_heads(4096, 32, 8, 32, 32_768), "rope_theta": 10_000.0, "sliding_window": 4096}),
        _read("Phi-2", 2023, "microsoft/phi-2", _LITGPT,
              {"model_type": "phi", **_heads(2560, 32, 32, 32, 2048), "partial_rotary_factor": 0.4, "rope_theta": 10_000.0}),
        _read("Phi-3 mini 128k", 2024, "microsoft/Phi-3-mini-128k-instruct", _GOLDEN,
              {"model_type": "phi3", **_heads(3072, 32, 32, 32, 131_072), "original_max_position_embeddings": 4096,
               "rope_theta": 10_000.0, "rope_scaling": {"type": "longrope", "short_factor": _SHORT, "long_factor": _LONG}}),
        _read("GLM-4 9B", 2024, "zai-org/glm-4-9b-chat", "the file itself, then at THUDM/glm-4-9b-chat",
              {"model_type": "chatglm", "hidden_size": 4096, "num_attention_heads": 32, "multi_query_group_num": 2,
               "kv_channels": 128, "num_layers": 40, "seq_length": 131_072, "original_rope": True, "rope_ratio": 500,
               "padded_vocab_size": 151_552}),
        _read("Llama 3.1 8B", 2024, "meta-llama/Llama-3.1-8B", _LITGPT,
              {"model_type": "llama", **_heads(4096, 32, 8, 32, 131_072), "rope_theta": 500_000.0, "rope_scaling": _llama3(8.0)}),
        _read("Qwen2-VL 7B", 2024, "Qwen/Qwen2-VL-7B-Instruct", _GOLDEN,
              {"model_type": "qwen2_vl", **_heads(3584, 28, 4, 28, 32_768), "rope_theta": 1_000_000.0,
               "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}}),
        _read("Qwen2.5 7B, YaRN", 2024, "Qwen/Qwen2.5-7B-Instruct", "the model card, “Processing Long Texts”",
              {"model_type": "qwen2", **_heads(3584, 28, 4, 28, 32_768), "rope_theta": 1_000_000.0,
               "rope_scaling": _yarn(4.0, 32_768)}),
        _read("Command R", 2024, "CohereLabs/c4ai-command-r-v01", "the copy in prince-canuma/c4ai-command-r-v01-4bit",
              {"model_type": "cohere", **_heads(8192, 64, 64, 40, 8192), "rope_theta": 8_000_000.0}),
        _read("Command R7B", 2024, "CohereLabs/c4ai-command-r7b-12-2024",
              "the copy in huihui-ai/c4ai-command-r7b-12-2024-abliterated; the longest context, 132,096, from a later copy",
              {"model_type": "cohere2", **_heads(4096, 32, 8, 32, 132_096), "head_dim": 128, "rope_theta": 50_000,
               "position_embedding_type": "rope_gptj", "rotary_pct": 1.0, "sliding_window": 4096, "sliding_window_pattern": 4}),
        _read("ModernBERT base", 2024, "answerdotai/ModernBERT-base", "modernbert",
              {"model_type": "modernbert", "hidden_size": 768, "num_attention_heads": 12, "num_hidden_layers": 22,
               "max_position_embeddings": 8192, "global_attn_every_n_layers": 3, "global_rope_theta": 160_000.0,
               "local_rope_theta": 10_000.0, "position_embedding_type": "absolute"}),
        _read("SmolLM2 135M", 2024, "HuggingFaceTB/SmolLM2-135M", _GOLDEN,
              {"model_type": "llama", **_heads(576, 9, 3, 30, 8192), "rope_theta": 100_000, "rope_interleaved": False}),
        _read("DeepSeek-V3", 2024, "deepseek-ai/DeepSeek-V3", "deepseek-ai/DeepSeek-V3, inference/model.py",
              {"model_type": "deepseek_v3", **_DEEPSEEK}),
        _read("Gemma 3 12B", 2025, "google/gemma-3-12b-it", "the copy in OpenPipe/gemma-3-12b-it-text-only",
              {"model_type": "gemma3", "text_config": {
                  "model_type": "gemma3_text", **_heads(3840, 16, 8, 48, 131_072), "head_dim": 256, "rope_theta": 1_000_000,
                  "rope_local_base_freq": 10_000, "rope_scaling": {"factor": 8.0, "rope_type": "linear"},
                  "sliding_window": 1024, "sliding_window_pattern": 6}}),
        _read("Llama 4 Scout", 2025, "meta-llama/Llama-4-Scout-17B-16E-Instruct", _CONFIGS,
              {"model_type": "llama4", "text_config": {
                  "model_type": "llama4_text", **_heads(5120, 40, 8, 48, 10_485_760), "head_dim": 128,
                  "attention_chunk_size": 8192, "rope_theta": 500_000.0, "rope_scaling": _llama3(16.0, high=1.0)}}),
        _read("ERNIE 4.5 VL 28B", 2025, "baidu/ERNIE-4.5-VL-28B-A3B-PT", "ernie4_5_vl_moe",
              {"model_type": "ernie4_5_moe_vl", **_heads(2560, 20, 4, 28, 131_072), "rope_theta": 500_000, "rope_3d": True,
               "freq_allocation": 20}),
        _read("SmolLM3 3B", 2025, "HuggingFaceTB/SmolLM3-3B", _COPIES,
              {"model_type": "smollm3", **_heads(2048, 16, 4, 36, 65_536), "rope_theta": 5_000_000.0,
               "no_rope_layer_interval": 4, "no_rope_layers": [1, 1, 1, 0] * 9}),
        _read("EXAONE 4 32B", 2025, "LGAI-EXAONE/EXAONE-4.0-32B", _COPIES,
              {"model_type": "exaone4", **_heads(5120, 40, 8, 64, 131_072), "head_dim": 128, "rope_theta": 1_000_000,
               "rope_scaling": _llama3(16.0), "sliding_window": 4096, "sliding_window_pattern": "LLLG",
               "layer_types": [_SLIDING, _SLIDING, _SLIDING, _FULL] * 16}),
        _read("Kimi K2", 2025, "moonshotai/Kimi-K2-Instruct", _CONFIGS,
              {"model_type": "kimi_k2", **_DEEPSEEK, "num_attention_heads": 64, "num_key_value_heads": 64,
               "max_position_embeddings": 131_072, "rope_theta": 50_000.0,
               "rope_scaling": _yarn(32.0, 4096, beta_fast=1.0, beta_slow=1.0, mscale=1.0, mscale_all_dim=1.0)}),
        _read("GLM-4.5", 2025, "zai-org/GLM-4.5", _COPIES,
              {"model_type": "glm4_moe", **_heads(5120, 96, 8, 92, 131_072), "head_dim": 128, "partial_rotary_factor": 0.5,
               "rope_theta": 1_000_000, "rope_scaling": None}),
        _read("gpt-oss 120b", 2025, "openai/gpt-oss-120b", "gpt_oss",
              {"model_type": "gpt_oss", **_heads(2880, 64, 8, 36, 131_072), "head_dim": 64, "rope_theta": 150_000,
               "rope_scaling": {"rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0,
                                "original_max_position_embeddings": 4096, "truncate": False},
               "sliding_window": 128, "layer_types": [_SLIDING, _FULL] * 18}),
        _read("Qwen3-Next 80B", 2025, "Qwen/Qwen3-Next-80B-A3B-Thinking", _CONFIGS,
              {"model_type": "qwen3_next", **_heads(2048, 16, 2, 48, 262_144), "head_dim": 256,
               "partial_rotary_factor": 0.25, "rope_theta": 10_000_000, "full_attention_interval": 4}),
        _read("Qwen3-VL 235B", 2025, "Qwen/Qwen3-VL-235B-A22B-Thinking", _CONFIGS,
              {"model_type": "qwen3_vl_moe", "text_config": {
                  "model_type": "qwen3_vl_moe_text", **_heads(4096, 64, 4, 94, 262_144), "head_dim": 128, "rope_theta": 5_000_000,
                  "rope_scaling": {"mrope_interleaved": True, "mrope_section": [24, 20, 20], "rope_type": "default"}}}),
        _read("DeepSeek-V3.2-Exp", 2025, "deepseek-ai/DeepSeek-V3.2-Exp", "deepseek_v32",
              {"model_type": "deepseek_v32", **_DEEPSEEK, "index_head_dim": 128, "index_n_heads": 64, "index_topk": 2048}),
        _read("nanochat d32", 2025, "karpathy/nanochat-d32", "karpathy/nanochat: a width of 64 a layer, heads of 128",
              {"model_type": "nanochat", **_heads(2048, 16, 16, 32, 2048), "rope_theta": 10_000.0}),
        _read("MiniMax-M2", 2025, "MiniMaxAI/MiniMax-M2", "configuration_minimax_m2.py in ModelCloud/MiniMax-M2-GPTQMODEL-W4A16",
              {"model_type": "minimax_m2", **_heads(3072, 48, 8, 62, 196_608), "head_dim": 128, "rotary_dim": 64,
               "rope_theta": 5_000_000}),
        _read("Ministral 3 8B", 2025, "mistralai/Ministral-3-8B-Base-2512", "ministral3",
              {"model_type": "ministral3", **_heads(4096, 32, 8, 34, 262_144), "head_dim": 128, "rope_parameters": _yarn(
                  16.0, 16_384, rope_theta=1_000_000.0, beta_fast=32.0, beta_slow=1.0, mscale=1.0, mscale_all_dim=1.0,
                  llama_4_scaling_beta=0.1)}),
        _read("MiMo-V2-Flash", 2025, "XiaomiMiMo/MiMo-V2-Flash",
              "NVIDIA NeMo AutoModel, mimo_v2_flash/config.py; the order of layers from a copy",
              {"model_type": "mimo_v2_flash", **_heads(4096, 64, 4, 48, 262_144), "head_dim": 192, "v_head_dim": 128,
               "partial_rotary_factor": 0.334, "rope_theta": 5_000_000, "swa_rope_theta": 10_000, "swa_head_dim": 192,
               "sliding_window": 128, "swa_num_key_value_heads": 8,
               "hybrid_layer_pattern": [0, 1, 1, 1, 1] + [0, 1, 1, 1, 1, 1] * 7 + [0]}),
        _read("Qwen3.5 397B", 2026, "Qwen/Qwen3.5-397B-A17B", _CONFIGS,
              {"model_type": "qwen3_5_moe", "text_config": {
                  "model_type": "qwen3_5_moe_text", **_heads(4096, 32, 2, 60, 262_144), "head_dim": 256,
                  "full_attention_interval": 4, "layer_types": [_LINEAR, _LINEAR, _LINEAR, _FULL] * 15,
                  "rope_parameters": {"mrope_interleaved": True, "mrope_section": [11, 11, 10], "rope_type": "default",
                                      "rope_theta": 10_000_000, "partial_rotary_factor": 0.25}}}),
        _read("Gemma 4 12B", 2026, "google/gemma-4-12B-it", _COPIES,
              {"model_type": "gemma4_unified", "text_config": {
                  "model_type": "gemma4_unified_text", **_heads(3840, 16, 8, 48, 262_144), "head_dim": 256,
                  "global_head_dim": 512, "num_global_key_value_heads": 1, "attention_k_eq_v": True, "sliding_window": 1024,
                  "layer_types": [*[_SLIDING] * 5, _FULL] * 8, "rope_parameters": {
                      _FULL: {"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1_000_000.0},
                      _SLIDING: {"rope_type": "default", "rope_theta": 10_000.0}}}}),
        _read("DeepSeek-V4-Flash", 2026, "deepseek-ai/DeepSeek-V4-Flash", _CONFIGS,
              {"model_type": "deepseek_v4", **_heads(4096, 64, 1, 43, 1_048_576), "head_dim": 512, "q_lora_rank": 1024,
               "qk_rope_head_dim": 64, "rope_theta": 10_000, "compress_rope_theta": 160_000, "sliding_window": 128,
               "rope_scaling": _yarn(16, 65_536, beta_fast=32, beta_slow=1), "compress_ratios": [0, 0, *[4, 128] * 20, 4, 0],
               "index_head_dim": 128, "index_n_heads": 64, "index_topk": 512}),
        _read("GLM-5.2", 2026, "zai-org/GLM-5.2", _COPIES,
              {"model_type": "glm_moe_dsa", **_heads(6144, 64, 64, 78, 1_048_576), "kv_lora_rank": 512, "q_lora_rank": 2048,
               "qk_nope_head_dim": 192, "qk_rope_head_dim": 64, "v_head_dim": 256, "index_head_dim": 128, "index_n_heads": 32,
               "index_topk": 2048, "indexer_rope_interleave": True, "rope_interleave": True,
               "rope_parameters": {"rope_theta": 8_000_000, "rope_type": "default"}}),
    ]
)  # fmt: skip
