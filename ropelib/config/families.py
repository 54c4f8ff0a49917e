"""What each family's own code does where its configs are silent. Data only.

A family is a `model_type` without "_text". Those that transformers runs are compared with it, all of them, by the tests of
peers; the others are read from the code that their publishers keep beside the weights.
"""

from collections.abc import Mapping
from typing import Any

_ByType = Mapping[str, dict[str, Any] | None]  # rope settings by type of layer; None for one that does not rotate


def _each(value: Any, names: str) -> dict[str, Any]:
    return dict.fromkeys(names.split(), value)


# The same code under another name.
SAME = {"bailing2_5_moe": "bailing_moe_v2_5", "ernie4_5_moe_vl": "ernie4_5_vl_moe", "modernbert-decoder": "modernbert"}
SAME |= {"RefinedWeb": "RefinedWebModel"}
# Other code under the same name, told by the class in architectures: Ling 2.5 and 2.6, beside Ling 3 and the first hybrids.
BY_CLASS = {"bailing_hybrid": ("bailing_moe_v2_5",), "bailing_moe_linear": ("bailing_moe_v2_5",)}
# What says that such a file is that of the family by its name: how its class begins, and a key that the other does not have.
OF_ITS_NAME = {"bailing_hybrid": (("BailingMoeV3", "BailingHybrid"), "short_conv_kernel_size")}

# --- which pairs turn

INTERLEAVED = frozenset(
    (
        "axk1 axk2 bailing_hybrid bailing_moe_v2_5 blt blt_global_transformer blt_local_decoder blt_local_encoder blt_patcher "
        "chatglm codegen cohere cohere2 cohere2_moe deepseek_v2 deepseek_v3 deepseek_v32 deepseek_v4 dots3_note "
        "ernie4_5 ernie4_5_moe ernie4_5_vl_moe glm glm4 glm4_moe_lite glm4v glm_moe_dsa glm_ocr gptj helium "
        "hy_v4_vl kimi_k2 llama4 longcat_flash mistral4 mistral_large4 moonshine moonshine_streaming "
        "openai_privacy_filter pe_audio_encoder pe_audio_video_encoder pe_video_encoder roformer sarvam_mla "
        "youtu"
    ).split()
)
HALF = frozenset(
    (
        "afmoe apertus apertus1p5 aquila arcee arctic aria baichuan bailing_moe bailing_moe_linear bamba beam bitnet "
        "chameleon clvp_encoder codeshell cogvlm cohere_compass cosmos3_edge csm csm_depth_decoder_model cwm dbrx "
        "deepseek deepseek_ocr2 deepseek_ocr2_encoder dia_decoder dia_encoder diffllama diffusion_gemma doge dory dots1 "
        "dots3_note_audio_encoder embedding_gemma2 emu3 esm esmc eurobert evolla exaone exaone4 exaone_moe "
        "falcon falcon_h1 flex_olmo flint fuyu gemma gemma2 gemma3 gemma3n gemma4 gemma4_unified glm4_moe "
        "glm4v_moe glm_image glmasr_encoder gpt_neox gpt_neox_japanese gpt_oss gradium_phonon_tts granite "
        "granite4_vision granite_docling granite_swa granitemoe granitemoe_swa granitemoehybrid granitemoeshared "
        "grok-1 gte higgs_audio_v2 hrm hunyuan hunyuan_v1_dense hunyuan_v1_moe hunyuan_vl hy_v3 hy_v4 "
        "hyperclovax idefics internlm internlm2 internlm3 jais2 jetmoe jina_embeddings_v3 kolibri1 "
        "kyutai_speech_to laguna lara_mini lasr_encoder lfm2 lfm2_moe lfm3 llama mellum mimi mimi_decoder "
        "mimi_encoder mimo mimo_v2_flash minicpm minicpm3 minimax minimax_m1 minimax_m2 minimax_m3_vl minimax_text_01 ministral "
        "ministral3 mistral mixtral mllama modernbert molmo2 moshi mpt muse_glimmer muse_glimmer_assistant "
        "muse_spark nanochat nemotron nemotron3_5_transcribe_asr_audio nemotron3_5_transcribe_word_timestamp "
        "nemotron-nas "
        "nemotron3_diarization_audio neomme neucodec new nomic_bert olmo olmo2 olmo3 olmo_hybrid olmoe openelm orion "
        "paddleocr_vl persimmon phi phi-msft phi3 phi4_multimodal phimoe pocket_tts pocket_tts_audio_tokenizer "
        "pocket_tts_audio_tokenizer_decoder pocket_tts_audio_tokenizer_encoder qwen qwen2 qwen2_5_omni "
        "qwen2_5_omni_dit qwen2_5_omni_talker qwen2_5_vl qwen2_moe qwen2_vl qwen3 qwen3_5 qwen3_5_moe qwen3_moe "
        "qwen3_next qwen3_omni_moe qwen3_omni_moe_code2wav qwen3_omni_moe_talker "
        "qwen3_omni_moe_talker_code_predictor qwen3_vl qwen3_vl_moe qwen4_exp recurrent_gemma RefinedWebModel "
        "sarvam_moe seed_oss skywork smollm3 solar_open stablelm stablelm_alpha stablelm_epoch starcoder2 "
        "step3p5 t5_gemma_module t5gemma t5gemma2 t5gemma2_decoder telechat timesfm2_5 ultrabert unlimited_ocr "
        "vaultgemma voxtral_realtime voxtral_realtime_encoder xcodec2 xverse Yi zamba2 zaya"
    ).split()
)

ROTATING = HALF | INTERLEAVED
PUBLISHERS = frozenset(  # those whose code is not in transformers
    (
        "RefinedWebModel Yi aquila arctic baichuan bailing_moe bailing_moe_linear bailing_moe_v2_5 chatglm codeshell cogvlm "
        "deepseek grok-1 hunyuan internlm internlm2 kimi_k2 mimo minicpm minimax_m1 minimax_text_01 nemotron-nas new openelm "
        "orion phi-msft qwen "
        "qwen3_omni_moe_code2wav skywork stablelm_alpha stablelm_epoch telechat xverse"
    ).split()
)

# --- which way, and what else carries the rotation

CLOCKWISE = frozenset(["nanochat"])  # turns by minus position times frequency
VALUES_TURNED_BACK = frozenset(["deepseek_v4"])
LEARNED = {"mistral_large4": "the frequencies by exp(alpha), and queries by a factor that grows with the position, both weights"}

# --- which layers rotate

ONLY_SLIDING = frozenset("afmoe cohere2 cohere2_moe exaone4 exaone_moe flint kolibri1 lara_mini muse_glimmer muse_spark".split())
UNLESS_NO_WINDOW = frozenset("exaone4 exaone_moe kolibri1".split())  # without a window all their layers rotate
INTERVAL = {"llama4": 4, "mistral_large4": 4, "smollm3": 4}  # every n-th layer does not, if no list says otherwise
KINDS = frozenset(  # of layers, by the names that configs give them
    (
        "attention chunked_attention compressed_sparse_attention conv deepseek_sparse_attention full_attention "
        "heavily_compressed_attention hybrid hybrid_sliding indexed_attention linear_attention mamba minimax_m3_sparse mlp moe "
        "no_attention qwen_sparse_attention recurrent reference_sliding_attention short_conv sliding_attention"
    ).split()
)
WITHOUT_ATTENTION = frozenset("conv linear_attention mamba mlp moe no_attention recurrent short_conv".split())
# Whose linear layers rotate queries and keys, unless linear_rope is False; those of them that have plain heads there, beside the
# latent attention of their full layers; and those whose full layers pass over a part of a head, which is that of the linear ones.
LINEAR_TURNS = frozenset(["bailing_moe_linear", "bailing_moe_v2_5"])
LINEAR_PLAIN = frozenset(["bailing_moe_v2_5"])
PART_OF_LINEAR = LINEAR_PLAIN | {"bailing_hybrid"}
# The kinds of layers where a config lists none: a letter a layer, round and round; what stands before "+" comes once, and "!"
# says that the last layer is global. L slides, G is global, N linear, C convolves, R recurs, A attends, I is indexed, H hybrid;
# S and V are DeepSeek V4's, sparse and heavily compressed.
PATTERN: Mapping[str, str] = (
    _each("LLLG", "afmoe cohere2 cohere2_moe exaone4 exaone_moe olmo3")
    | _each("NNNG", "olmo_hybrid qwen3_5 qwen3_5_moe qwen3_next")
    | _each("LG", "gemma2 gpt_oss t5_gemma_module vaultgemma")
    | _each("GLLL", "cwm granite_swa granitemoe_swa")
    | _each("LLLLLG", "gemma3 t5gemma2 t5gemma2_decoder")
    | _each("LLLLLG!", "beam diffusion_gemma embedding_gemma2 gemma4 gemma4_unified neomme")
    | _each("LLLLG", "gemma3n kolibri1")
    | {
        "bailing_hybrid": "NNNNNG",
        "deepseek_v4": "VVV+SV",
        "dots3_note": "II+LLLI",
        "flint": "GG+LLLG!",
        "laguna": "G",
        "mellum": "G",
        "lara_mini": "NLNGL",
        "lfm3": "CC+GCLC",
        "mimo_v2_flash": "GLLLL+GLLLLL",
        "minimax": "GN",
        "modernbert": "GLL",
        "recurrent_gemma": "RRA",
        "ultrabert": "LLG",
        "zaya": "H",
    }
)
# Families some of whose layers rotate nothing, and whose code fills in no pattern that their published models have.
UNTOLD = frozenset("bamba granitemoehybrid lfm2 lfm2_moe minimax_m1 minimax_text_01 mllama zamba2".split())
# Later layers slide, from max_window_layers on, if use_sliding_window says so; dots1's need no such word.
LATER_SLIDE = frozenset("deepseek_ocr2_encoder dots1 qwen2 qwen2_5_omni qwen2_5_omni_talker qwen2_5_vl qwen2_vl qwen3".split())
EVEN_SLIDE = frozenset(["qwen2_moe"])  # every second layer from the first on, up to max_window_layers, if it says so
SLIDE_IF_SAID = frozenset(["qwen3_moe"])  # all their layers slide, if use_sliding_window says so
BLOCK_OF = {  # the rope settings of a type of layer, where they have names of their own
    "deepseek_v4": {
        "sliding_attention": "main",
        "compressed_sparse_attention": "compress",
        "heavily_compressed_attention": "compress",
    }
}
# Families all of whose layers see a window, where sliding_window is given and nothing lists the layers.
ALL_SLIDE = frozenset(
    (
        "blt_patcher mimi mimi_decoder mimi_encoder ministral ministral3 mistral mixtral openai_privacy_filter phi3 "
        "phi4_multimodal phimoe pocket_tts_audio_tokenizer pocket_tts_audio_tokenizer_decoder "
        "pocket_tts_audio_tokenizer_encoder starcoder2 voxtral_realtime voxtral_realtime_encoder"
    ).split()
)
# How far sliding layers see where no sliding_window is given and none is not said; ModernBERT's, to each side.
WINDOW: Mapping[str, int] = (
    _each(64, "modernbert")
    | _each(128, "deepseek_v4 gpt_oss granite_swa granitemoe_swa openai_privacy_filter ultrabert")
    | _each(
        250,
        "mimi mimi_decoder mimi_encoder pocket_tts_audio_tokenizer pocket_tts_audio_tokenizer_decoder "
        "pocket_tts_audio_tokenizer_encoder",
    )
    | _each(512, "beam blt_patcher diffusion_gemma dots3_note embedding_gemma2 gemma3n gemma4 laguna lara_mini")
    | _each(513, "flint kolibri1")
    | _each(1024, "afmoe dory gemma4_unified mellum")
    | _each(2048, "muse_glimmer muse_glimmer_assistant muse_spark recurrent_gemma")
    | _each(
        4096,
        "cohere2 cohere2_moe cohere_compass dots1 exaone4 exaone_moe gemma2 gemma3 ministral mistral olmo3 t5_gemma_module "
        "t5gemma2 t5gemma2_decoder vaultgemma voxtral_realtime",
    )
    | {"cwm": 8192, "lfm3": 256, "mimo_v2_flash": 129, "voxtral_realtime_encoder": 750}
)
# Whose code in transformers has no window, whatever sliding_window and layer_types say.
WINDOWLESS = frozenset(
    (
        "apertus apertus1p5 arcee aria axk1 axk2 bailing_hybrid bamba bitnet chameleon clvp_encoder codegen cohere "
        "cosmos3_edge csm csm_depth_decoder_model dbrx deepseek_v2 deepseek_v3 deepseek_v32 dia_decoder dia_encoder "
        "diffllama emu3 ernie4_5 ernie4_5_moe ernie4_5_vl_moe esm eurobert evolla falcon falcon_h1 flex_olmo fuyu glm "
        "glm4 glm4_moe glm4_moe_lite glm4v glm4v_moe glm_image glm_moe_dsa glm_ocr glmasr_encoder gpt_neox "
        "gpt_neox_japanese gptj gradium_phonon_tts granite granite4_vision granite_docling granitemoe granitemoehybrid "
        "granitemoeshared gte helium higgs_audio_v2 hrm hunyuan_v1_dense hunyuan_v1_moe hunyuan_vl hy_v3 hy_v4 hy_v4_vl "
        "hyperclovax idefics jais2 jetmoe jina_embeddings_v3 lasr_encoder lfm2 lfm2_moe llama llama4 longcat_flash "
        "minicpm3 minimax_m2 minimax_m3_vl mistral4 mistral_large4 mllama molmo2 moonshine mpt nanochat nemotron "
        "nemotron3_5_transcribe_asr_audio nemotron3_5_transcribe_word_timestamp nemotron3_diarization_audio neucodec "
        "nomic_bert olmo olmo2 olmo_hybrid pe_audio_encoder pe_audio_video_encoder pe_video_encoder persimmon phi "
        "pocket_tts qwen3_5 qwen3_5_moe qwen3_next qwen3_vl qwen3_vl_moe qwen4_exp roformer seed_oss solar_open stablelm "
        "timesfm2_5 xcodec2 youtu zamba2"
    ).split()
)
BY_TYPE_SLIDE = frozenset(["ministral"])  # of those in ALL_SLIDE: where a file lists its layers, that counts
CHUNK = {"llama4": 8192}  # positions that a chunk holds, where null is not said
COMPRESS_RATIO = {0: "sliding_attention", 4: "compressed_sparse_attention", 128: "heavily_compressed_attention"}

# The one name by which their code, or their publisher's, reads a base of sliding layers.
LOCAL_BASE: Mapping[str, str] = _each("rope_local_base_freq", "gemma3 gemma3n t5gemma2 t5gemma2_decoder") | {
    "dots3_note": "swa_rope_theta",
    "mimo_v2_flash": "swa_rope_theta",
    "modernbert": "local_rope_theta",
}
# Keys that only these families' code reads: in the config of another family that is known they say nothing.
READ_BY: Mapping[str, frozenset[str]] = {
    "attn_layer_indices": frozenset(["bamba"]),
    "attn_temperature_len": frozenset(["grok-1"]),
    "attn_type_list": frozenset(["minimax", "minimax_m1", "minimax_text_01"]),
    "block_configs": frozenset(["nemotron-nas"]),
    "block_types": frozenset(["recurrent_gemma"]),
    "compress_ratios": frozenset(["deepseek_v4"]),
    "compress_rope_theta": frozenset(["deepseek_v4"]),
    "cross_attention_layers": frozenset(["mllama"]),
    "full_attention_interval": frozenset("olmo_hybrid qwen3_5 qwen3_5_moe qwen3_next qwen4_exp".split()),
    "full_attn_idxs": frozenset(["lfm2", "lfm2_moe"]),
    "global_head_dim": frozenset("diffusion_gemma embedding_gemma2 gemma4 gemma4_unified".split()),
    "hybrid_layer_ids": frozenset(["zamba2"]),
    "hybrid_layer_pattern": frozenset(["mimo_v2_flash"]),
    "layer_group_size": LINEAR_TURNS | {"bailing_hybrid"},
    "layer_rope_theta": frozenset("granite_swa granitemoe_swa muse_glimmer muse_glimmer_assistant muse_spark".split()),
    "linear_rope": LINEAR_TURNS,
    "no_rope_layer_interval": frozenset(["llama4", "mistral_large4", "smollm3"]),
    "no_rope_layers": frozenset(["llama4", "mistral_large4", "smollm3"]),
    **dict.fromkeys(
        ("qk_head_dim", "qk_rope_head_dim"),
        frozenset(
            (
                "axk1 axk2 bailing_hybrid bailing_moe_v2_5 deepseek_v2 deepseek_v3 deepseek_v32 deepseek_v4 dots3_note "
                "glm4_moe_lite glm_moe_dsa hy_v4 hy_v4_vl kimi_k2 longcat_flash minicpm3 mistral4 mistral_large4 sarvam_mla youtu"
            ).split()
        ),
    ),
    "rope_local_base_freq": frozenset(LOCAL_BASE),
    "rope_ratio": frozenset(["chatglm"]),
    "rope_scaling_layers": frozenset(["molmo2"]),
    "swa_head_dim": frozenset(["mimo_v2_flash"]),
    "use_dynamic_ntk": frozenset(["qwen"]),
    "use_logn_attn": frozenset(["qwen"]),
    "yarn_only_types": frozenset(["step3p5"]),
}

# Entries by which such a list, or such a number, says what the code of every other family does anyway.
IDLE: Mapping[str, tuple[Any, ...]] = {
    "attn_temperature_len": (-1,),
    "attn_type_list": (1,),
    "block_types": ("attention", "full_attention"),
    "compress_ratios": (0,),
    "full_attention_interval": (1,),
    "hybrid_layer_pattern": (0,),
    "layer_group_size": (1,),
    "linear_rope": (True,),
    "no_rope_layers": (1,),
    "rope_ratio": (1,),
}
IDLE_IF_ALL = frozenset(["attn_layer_indices", "full_attn_idxs", "rope_scaling_layers"])  # or by naming every layer
IDLE_IF_SAME = {"global_head_dim": "head_dim", "swa_head_dim": "head_dim", "rope_local_base_freq": "rope_theta"}

ON = {"qwen": ("use_dynamic_ntk", "use_logn_attn")}  # switches that its publisher's class has on where a file gives none

# The same of rope_interleave, by any of its published names, and of the alpha of "dynamic".
LAYOUT_SAID = frozenset(
    "axk1 bailing_moe_v2_5 chatglm deepseek_v3 glm4_moe_lite jina_embeddings_v3 kimi_k2 mistral4 nomic_bert youtu".split()
)
ALPHA = frozenset("hunyuan hunyuan_v1_dense hunyuan_v1_moe hunyuan_vl".split())
MSCALE_SIDES = frozenset(["phimoe"])  # and of LongRoPE's short_mscale and long_mscale
BASES_BY_LAYER = frozenset(["step3p5", "ultrabert"])  # and of a rope_theta that is a list
PART_KEY = {  # the one name beside the rope settings by which their code reads a part
    "gpt_neox": "rotary_pct",
    "gpt_neox_japanese": "rotary_pct",
    "step3p5": "partial_rotary_factors",
}
PART_HELD = {"bamba": 0.5}  # whose code writes this part over a partial_rotary_factor that stands beside
# Whose code reads a block for each type of layer, and passes over what stands in rope_parameters itself.
BLOCKS_ALONE = frozenset("gemma3 gemma3n olmo3 step3p5 t5gemma2 t5gemma2_decoder".split())

# Whose code gives a block without a base one of its own, whatever rope_theta stands beside the rope settings.
BASE_BESIDE_BLOCKS_UNREAD = BLOCKS_ALONE | {"modernbert", "ultrabert"}
TYPE_UNREAD = BLOCKS_ALONE - {"olmo3"}  # which know the method of an older block by rope_type alone, not by type
PART_BY_TYPE = frozenset(["neomme"])  # whose blocks without a part have that of BY_TYPE
BASE_BESIDE_ALONE = frozenset(["esm"])  # whose code reads no base inside the rope settings
SCALING_UNREAD = frozenset(["cohere2_moe"])  # and none inside settings that are called rope_scaling
# Whose code reads of layer_rope_theta which layers rotate, and their base from the rope settings.
LAYER_BASE_UNREAD = frozenset("muse_glimmer muse_glimmer_assistant muse_spark".split())
PART_BESIDE_ALONE = frozenset(["minimax_m2"])  # whose code reads no rotary_dim inside the rope settings

# Whose code takes a block for each type of layer at all; the others' in transformers take one for all.
BY_BLOCKS = frozenset(
    (
        "beam cohere_compass deepseek_v4 diffusion_gemma dory dots3_note dots3_note_audio_encoder embedding_gemma2 esm "
        "evolla gemma3 gemma3n gemma4 gemma4_unified laguna lfm3 mellum mimo_v2_flash modernbert neomme olmo3 step3p5 "
        "t5gemma2 t5gemma2_decoder ultrabert zaya"
    ).split()
)

# --- models that do not rotate, whatever else their configs say

WITHOUT = (
    _each(
        "learns its positions",
        "align altclip bart beit bert bert-generation big_bird bigbird_pegasus biogpt blenderbot-small blip "
        "bridgetower bros camembert canine chinese_clip clap clip clipseg clvp_decoder convbert ctrl data2vec-text "
        "decision_transformer distilbert electra ernie flaubert flava git gpt2 gpt_bigcode gpt_neo groupvit "
        "ibert imagegpt kosmos_2 kosmos_2_5 layoutlm layoutlmv2 layoutlmv3 layoutxlm led lilt longformer luke "
        "lxmert markuplm mbart megatron-bert metaclip_2 mobilebert mpnet mra mvp nystromformer openai-gpt opt "
        "owlv2 owlvit perceiver plbart prophetnet reformer rembert roberta roberta-prelayernorm roc_bert "
        "roformer_learned siglip siglip2 siglip2_vision_model siglip_vision_model clip_vision_model splinter "
        "squeezebert tapas trocr vilt visual_bert vit whisper xclip xlm xlm-roberta xlm-roberta-xl xmod yoso "
        "albert dpr rag dinov2 canary_decoder prophetnet",
    )
    | _each(
        "adds sinusoids to its embeddings",
        "blenderbot fastspeech2_conformer fsmt m2m_100 marian musicgen_decoder musicgen_melody_decoder nllb-moe "
        "pegasus pegasus_x speech_to speech_to_text xglm",
    )
    | _each("has ALiBi", "bloom step1")
    | _each("reads positions by a convolution", "data2vec-audio hubert sew unispeech unispeech-sat wav2vec2")
    | _each(
        "has another code of position",
        "aimv2 blip_2_qformer flava_image_codebook flava_image_model instructblip_qformer "
        "instructblipvideo_qformer pp_formulanet sam3_lite_text tipsv2 videoprism voxtral_encoder",
    )
    | _each(
        "has a learned bias of relative positions",
        "cpmant deberta deberta-v2 funnel granite_speech5_encoder seamless_m4t_v2 sew-d speecht5 vits wavlm "
        "inkling inkling2 inkling2_loop longt5 mt5 pix2struct pop2piano switch_transformers t5 udop umt5 xlnet",
    )
    | _each(
        "has no code of position",
        "falcon_mamba fnet glm5_next jamba kimi_linear mamba mamba2 nemotron_h phi4flash rwkv rwkv5 rwkv6 rwkv7 xlstm zamba",
    )
)
# Those that rotate only if a setting says so.
ONLY_IF: Mapping[str, tuple[str, Any]] = {
    "esm": ("position_embedding_type", "rotary"),
    "granitemoehybrid": ("position_embedding_type", "rope"),
    "mpt": ("use_rope", True),
    "wav2vec2-bert": ("position_embedding_type", "rotary"),
    "wav2vec2-conformer": ("position_embedding_type", "rotary"),
    "zamba2": ("use_mem_rope", True),
}
OTHERWISE = {  # the setting as files name it, and what the model does without
    "mpt": ("attn_config.rope", ": by default it has ALiBi in transformers, and learned positions in its publisher's code")
}
STILL_IF_NULL = frozenset(["olmo_hybrid"])  # whose code turns nothing where the base is null: it is published so
BERTS_TYPE = frozenset(["modernbert"])  # published with BERT's position_embedding_type, which their code does not read
ALIBI_AT = {"baichuan": 40}  # heads of the size that has ALiBi, and no key that says so: 13B
# Those that rotate in a way of their own, which a `Rope` for queries and keys cannot say.
UNSUPPORTED: Mapping[str, str] = (
    _each("rotates by coordinates, not by the index of a token", "dinov3_vit efficientloftr eomt_dinov3 pixtral sapiens2 vjepa2")
    | _each("rotates hidden states before they are projected", "seamless_m4t wav2vec2-bert wav2vec2-conformer")
    | {"clvp_encoder": "rotates values and does not turn the output back", "musicflamingo": "rotates by seconds of sound"}
    | {"telechat": "raises its base by steps of the length from 4,096 on, in short texts too, and scales cos and sin"}
)

VISION = ("_vision", "_vision_model", "_vision_encoder")  # endings of families that turn by coordinates, or not at all

# --- how fast: bases, parts and whole rope settings that configs leave out

BASE: Mapping[str, float] = (
    _each(
        1e4,
        "aquila baichuan chatglm clvp_encoder codegen codeshell deepseek diffllama doge esm falcon falcon_h1 gemma gemma2 "
        "glm gpt_neox gpt_neox_japanese gptj granite internlm internlm2 llama mimi minicpm minicpm3 mistral "
        "moonshine nanochat nemotron olmo olmo2 olmoe openelm orion persimmon phi phi-msft phi3 qwen "
        "recurrent_gemma RefinedWebModel roformer seamless_m4t stablelm stablelm_alpha stablelm_epoch starcoder2 "
        "wav2vec2-bert wav2vec2-conformer xverse zamba2",
    )
    | _each(1.2e7, "apertus apertus1p5")
    | _each(
        5e5,
        "bitnet blt cohere csm csm_depth_decoder_model ernie4_5 ernie4_5_moe ernie4_5_vl_moe evolla exaone "
        "flex_olmo llama4 mllama muse_glimmer_assistant olmo3 paddleocr_vl qwen3_vl qwen3_vl_moe",
    )
    | _each(1e6, "cwm emu3 lfm2 lfm2_moe minimax mixtral phimoe qwen2_5_omni qwen2_5_omni_talker qwen2_5_vl qwen2_vl")
    | _each(1e6, "qwen3_omni_moe solar_open")
    | _each(1.5e5, "gpt_oss openai_privacy_filter")
    | _each(5e6, "minimax_m2 minimax_m3_vl")
    | {
        "axk2": 1e4,
        "bailing_hybrid": 6e6,
        "blt_global_transformer": 5e5,
        "blt_local_decoder": 5e5,
        "blt_local_encoder": 5e5,
        "pe_audio_encoder": 2e4,
        "pe_audio_video_encoder": 2e4,
        "pe_video_encoder": 2e4,
        "cosmos3_edge": 1e8,
        "dots3_note": 8e7,
        "fuyu": 25_000.0,
        "gte": 160_000.0,
        "helium": 1e5,
        "hy_v3": 11_158_840.0,
        "jina_embeddings_v3": 20_000.0,
        "longcat_flash": 1e7,
        "nomic_bert": 1000.0,
        "sarvam_moe": 8e6,
        "smollm3": 2e6,
    }
)
PART: Mapping[str, float] = (
    _each(0.5, "bamba chatglm glm glm4 glm4_moe glm4v_moe glmasr_encoder nemotron persimmon phi recurrent_gemma")
    | _each(0.25, "gpt_neox qwen3_5 qwen3_5_moe qwen3_next stablelm")
    | {
        "bailing_moe_v2_5": 0.5,
        "deepseek_v4": 0.125,
        "dots3_note_audio_encoder": 0.5,
        "mimo_v2_flash": 0.334,
        "moonshine": 0.9,
    }
)
WHOLE_HEADS = frozenset(  # whose code in transformers passes over partial_rotary_factor, if nothing is scaled
    (
        "afmoe apertus apertus1p5 arcee aria beam bitnet blt blt_global_transformer blt_local_decoder blt_local_encoder "
        "blt_patcher chameleon cohere cohere2 cohere2_moe cosmos3_edge csm csm_depth_decoder_model cwm dbrx deepseek_ocr2 "
        "deepseek_ocr2_encoder dia_decoder dia_encoder diffllama doge dory dots1 embedding_gemma2 emu3 ernie4_5 ernie4_5_moe "
        "ernie4_5_vl_moe esm esmc eurobert evolla exaone4 exaone_moe falcon falcon_h1 flex_olmo flint gemma gemma2 gemma3 "
        "gemma3n gemma4 gemma4_unified gpt_oss gradium_phonon_tts granite granite_docling granite_swa granitemoe granitemoe_swa "
        "granitemoehybrid granitemoeshared gte helium higgs_audio_v2 hrm hunyuan_v1_dense hunyuan_v1_moe hunyuan_vl hy_v3 "
        "hyperclovax idefics jais2 jetmoe jina_embeddings_v3 kolibri1 kyutai_speech_to lara_mini lasr_encoder lfm2 lfm2_moe lfm3 "
        "llama llama4 mellum mimi mimi_decoder mimi_encoder minimax ministral ministral3 mistral mixtral mllama modernbert "
        "molmo2 moshi muse_glimmer muse_glimmer_assistant muse_spark nanochat neucodec nomic_bert olmo olmo2 olmo3 olmo_hybrid "
        "olmoe openai_privacy_filter paddleocr_vl pe_audio_encoder pe_audio_video_encoder pe_video_encoder phimoe pocket_tts "
        "pocket_tts_audio_tokenizer pocket_tts_audio_tokenizer_decoder pocket_tts_audio_tokenizer_encoder qwen2 qwen2_5_omni "
        "qwen2_5_omni_dit qwen2_5_omni_talker qwen2_5_vl qwen2_moe qwen2_vl qwen3 qwen3_moe qwen3_omni_moe "
        "qwen3_omni_moe_talker qwen3_omni_moe_talker_code_predictor qwen3_vl qwen3_vl_moe seed_oss smollm3 starcoder2 "
        "t5_gemma_module t5gemma t5gemma2 t5gemma2_decoder timesfm2_5 ultrabert unlimited_ocr vaultgemma voxtral_realtime "
        "voxtral_realtime_encoder xcodec2 zamba2"
    ).split()
)
UNSCALED = frozenset(["cohere2_moe", "esm"])  # whose code in transformers passes over every scaling
FIXED = frozenset("RefinedWebModel baichuan chatglm codegen gptj internlm roformer".split())  # whose code reads no base: 10,000
BLOCKLESS = FIXED | {"qwen"}  # and no rope settings: InternLM's block is "rotary", what ChatGLM and Qwen read stands beside
PARTLESS = FIXED  # and no part of a head, but rotary_dim
ROTARY_DIM: Mapping[str, int] = _each(64, "codegen gptj")  # where none is given
ROTARY_DIM_READ = PUBLISHERS | {"codegen", "gptj", "minimax_m2"}  # the others that turn a part know it by its factor alone
# Those that read a base, the width of a head or a part of it by another name than rope_theta, head_dim or
# partial_rotary_factor; the others that are known do not.
NAME_READ_BY: Mapping[str, frozenset[str]] = {
    "partial_rotary_factors": frozenset(["step3p5"]),
    "rope_pct": frozenset(["stablelm_epoch"]),
    "rotary_emb_fraction": frozenset(["jina_embeddings_v3", "nomic_bert"]),
    "rotary_pct": frozenset("gpt_neox gpt_neox_japanese qwen stablelm_alpha".split()),
    "rotary_percent": frozenset(),
    "attention_head_dim": frozenset("hunyuan hunyuan_vl zamba2".split()),
    "attn_config.rope_theta": frozenset(["dbrx", "mpt"]),
    "global_rope_theta": frozenset(["modernbert"]),
    "kv_channels": frozenset(["chatglm", "jetmoe", "qwen"]),
    "rope_embedding_base": frozenset(),
    "rope_freq_constant": frozenset(["openelm"]),
    "rotary_emb_base": frozenset(
        "gpt_neox gpt_neox_japanese jina_embeddings_v3 nomic_bert qwen stablelm_alpha stablelm_epoch".split()
    ),
    "rotary_embedding_base": frozenset(),
}
# Whose publisher's code reads a base by this name, and that of transformers does not.
BASE_OF_PUBLISHER = {"dbrx": "attn_config.rope_theta", "jina_embeddings_v3": "rotary_emb_base", "nomic_bert": "rotary_emb_base"}
FLAT_UNREAD = frozenset(["mimo_v2_flash"])  # and settings beside the rope settings: that of transformers keeps its own blocks
# Who reads a size by another name than hidden_size, num_attention_heads or max_position_embeddings, of transformers' families.
SIZE_READ_BY: Mapping[str, frozenset[str]] = {
    "d_model": frozenset("dbrx mpt voxtral_realtime_encoder".split()),
    "decoder_num_attention_heads": frozenset(["moonshine"]),
    "n_embd": frozenset(["codegen", "gptj"]),
    "n_head": frozenset(["codegen", "gptj"]),
    "n_heads": frozenset(["dbrx", "mpt"]),
    "n_positions": frozenset(["codegen", "gptj"]),
    "num_heads": frozenset(),
}
BY_THAT_ALONE: Mapping[str, str] = (  # the one name by which their code reads a base
    _each("rotary_emb_base", "gpt_neox gpt_neox_japanese qwen") | {"openelm": "rope_freq_constant"}
)
BASE_UNREAD = FIXED | {*BY_THAT_ALONE}
# The width of a head where no head_dim is given, whatever hidden_size / num_attention_heads is.
HEAD_DIM: Mapping[str, int] = (
    _each(64, "gpt_oss muse_spark neomme neucodec openai_privacy_filter qwen2_5_omni_dit sarvam_moe")
    | _each(64, "voxtral_realtime_encoder xcodec2")
    | _each(
        128,
        "afmoe beam cohere2_moe cosmos3_edge cwm dia_decoder dia_encoder ernie4_5 flint glm glm4 helium higgs_audio_v2 hrm "
        "hy_v3 internlm3 jetmoe kolibri1 laguna lara_mini lfm3 llama4 mellum minimax_m2 minimax_m3_vl ministral3 molmo2 "
        "muse_glimmer muse_glimmer_assistant paddleocr_vl pe_audio_encoder pe_audio_video_encoder pe_video_encoder "
        "qwen2_5_omni_talker qwen3 qwen3_omni_moe_talker_code_predictor qwen3_vl seed_oss solar_open step3p5 zaya",
    )
    | _each(
        256,
        "diffusion_gemma dory embedding_gemma2 gemma gemma2 gemma3 gemma3n gemma4 gemma4_unified qwen3_5 qwen3_5_moe "
        "qwen3_next qwen4_exp t5_gemma_module t5gemma2 t5gemma2_decoder vaultgemma",
    )
    | _each(128, "chatglm qwen")
    | {"deepseek_v4": 512, "mimo_v2_flash": 192, "timesfm2_5": 80}
)
# hidden_size and num_attention_heads where the text part of a file gives neither, of families whose heads are no HEAD_DIM.
SIZES: Mapping[str, tuple[int, int]] = (
    _each(
        (512, 8),
        "lasr_encoder mimi mimi_decoder mimi_encoder nemotron3_diarization_audio pocket_tts_audio_tokenizer "
        "pocket_tts_audio_tokenizer_decoder pocket_tts_audio_tokenizer_encoder",
    )
    | _each((768, 12), "blt_patcher esm eurobert gradium_phonon_tts gte modernbert nomic_bert roformer")
    | _each((1024, 8), "csm_depth_decoder_model doge")
    | _each(
        (1024, 16),
        "blt_local_decoder blt_local_encoder glm_ocr granite_docling jina_embeddings_v3 pocket_tts qwen3_omni_moe_talker",
    )
    | _each((1280, 10), "nemotron3_5_transcribe_asr_audio unlimited_ocr")
    | _each((1280, 20), "dots3_note_audio_encoder glmasr_encoder")
    | _each((2048, 16), "blt_global_transformer olmoe qwen2_moe qwen3_vl_moe smollm3")
    | _each((2048, 32), "csm diffllama kyutai_speech_to lfm2_moe phi qwen3_moe")
    | _each((2560, 20), "bitnet ernie4_5_moe ernie4_5_vl_moe granite_swa")
    | _each((2560, 32), "arcee gpt_neox_japanese lfm2 stablelm zamba2")
    | _each((3072, 32), "phi3 phi4_multimodal")
    | _each(
        (4096, 32),
        "apertus apertus1p5 aria bamba chameleon deepseek_ocr2 deepseek_ocr2_encoder evolla exaone exaone4 exaone_moe "
        "falcon_h1 flex_olmo glm4v glm_image granite granite4_vision granitemoe granitemoe_swa granitemoehybrid "
        "granitemoeshared hunyuan_v1_dense hunyuan_v1_moe hunyuan_vl hyperclovax idefics llama minimax ministral mistral "
        "mixtral moshi olmo olmo2 olmo3 phimoe qwen2 ultrabert voxtral_realtime",
    )
    | _each((4096, 64), "persimmon sarvam_mla")
    | _each((4096, 96), "glm4_moe glm4v_moe")
    | _each((8192, 64), "cohere cohere2 cohere_compass qwen2_5_vl qwen2_vl")
    | {
        "dots1": (4608, 32),
        "dots3_note": (5120, 128),
        "esmc": (2560, 40),
        "falcon": (4544, 71),
        "gpt_neox": (6144, 64),
        "jais2": (3328, 26),
        "moonshine_streaming": (320, 8),
        "nanochat": (768, 6),
        "nemotron": (6144, 48),
        "nemotron3_5_transcribe_word_timestamp": (1280, 16),
        "olmo_hybrid": (3840, 30),
        "qwen2_5_omni": (3584, 28),
        "qwen3_omni_moe": (2048, 28),
        "recurrent_gemma": (2560, 10),
        "starcoder2": (3072, 24),
    }
)
GLOBAL_HEAD_DIM: Mapping[str, int] = _each(512, "diffusion_gemma embedding_gemma2 gemma4 gemma4_unified")
TIMES_HIDDEN = {"zamba2": 2}  # whose attention reads the hidden states and the embeddings, side by side
# The sizes of latent attention where they are not given: channels of a head that turn, those that do not, and the cache's.
_LATENT = {"qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "kv_lora_rank": 512, "v_head_dim": 128}
LATENT: Mapping[str, Mapping[str, int]] = (
    _each(
        _LATENT,
        "axk1 bailing_hybrid bailing_moe_v2_5 deepseek_v2 deepseek_v3 deepseek_v32 kimi_k2 longcat_flash sarvam_mla youtu",
    )
    | _each(_LATENT | {"qk_nope_head_dim": 192, "v_head_dim": 256}, "glm4_moe_lite glm_moe_dsa hy_v4 hy_v4_vl")
    | {
        "axk2": {"qk_rope_head_dim": 32, "qk_nope_head_dim": 64, "kv_lora_rank": 128, "v_head_dim": 64},
        "minicpm3": {"qk_rope_head_dim": 32, "qk_nope_head_dim": 64, "kv_lora_rank": 256},
        "mistral4": _LATENT | {"qk_nope_head_dim": 64, "kv_lora_rank": 256},
        "mistral_large4": _LATENT | {"qk_nope_head_dim": 64},
    }
)
# Whose heads are hidden_size / num_attention_heads wide whatever head_dim says, though their rotary embedding in transformers
# reads it, and those where nothing does.
DIVIDED_BUT_EMBEDDED = frozenset(
    (
        "blt_global_transformer blt_local_decoder blt_local_encoder blt_patcher chameleon dbrx esm falcon glm4v gpt_neox "
        "gpt_neox_japanese idefics mllama modernbert persimmon qwen2_5_vl qwen2_vl stablelm"
    ).split()
)
DIVIDED = DIVIDED_BUT_EMBEDDED | frozenset(
    (
        "RefinedWebModel aquila baichuan codegen codeshell cogvlm deepseek_ocr2 dots3_note_audio_encoder gptj internlm "
        "internlm2 minicpm new orion roformer skywork stablelm_alpha stablelm_epoch unlimited_ocr xverse"
    ).split()
)
BY_CHANNELS = frozenset(["chatglm", "qwen"])  # whose heads are kv_channels wide, 128 if it is not given
WIDTH_UNREAD = DIVIDED | BY_CHANNELS
# Whose heads are hidden_size / num_attention_heads wide where head_dim is null: that is not absent.
DIVIDED_IF_NULL = frozenset("afmoe ernie4_5 glm higgs_audio_v2 internlm3 jetmoe paddleocr_vl seed_oss".split())

_GEMMA4: _ByType = {
    "sliding_attention": {"rope_theta": 1e4},
    "full_attention": {"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1e6},
}
_GEMMA3: _ByType = {"sliding_attention": {"rope_theta": 1e4}, "full_attention": {"rope_theta": 1e6}}
_MODERNBERT: _ByType = {"sliding_attention": {"rope_theta": 1e4}, "full_attention": {"rope_theta": 160_000.0}}
BY_TYPE: Mapping[str, _ByType] = {
    "beam": {"sliding_attention": {"rope_theta": 1e4}, "full_attention": None},
    "diffusion_gemma": _GEMMA4,
    "dots3_note": {"sliding_attention": {"rope_theta": 5e4}, "indexed_attention": {"rope_theta": 8e7}},
    "dory": {"sliding_attention": {"rope_theta": 1e4}, "full_attention": {"rope_theta": 1e7}},
    "embedding_gemma2": _GEMMA3,
    "gemma3": _GEMMA3,
    "gemma3n": _GEMMA3,
    "gemma4": _GEMMA4,
    "gemma4_unified": _GEMMA4,
    "laguna": {
        "full_attention": {"rope_theta": 5e5, "partial_rotary_factor": 0.5},
        "sliding_attention": {"rope_theta": 1e4, "partial_rotary_factor": 1.0},
    },
    "lfm3": {
        "sliding_attention": {"rope_theta": 1e4},
        "full_attention": {"rope_type": "proportional", "partial_rotary_factor": 0.5, "rope_theta": 1e6},
    },
    "mellum": {"full_attention": {"rope_theta": 5e5}, "sliding_attention": {"rope_theta": 1e4}},
    "mimo_v2_flash": {
        "full_attention": {"rope_theta": 5e6, "partial_rotary_factor": 0.334},
        "sliding_attention": {"rope_theta": 1e4, "partial_rotary_factor": 0.334},
    },
    "modernbert": _MODERNBERT,
    "neomme": {
        "full_attention": {"rope_theta": 1e6, "partial_rotary_factor": 0.25},
        "sliding_attention": {"rope_theta": 1e4, "partial_rotary_factor": 1.0},
    },
    "t5gemma2": _GEMMA3,
    "t5gemma2_decoder": _GEMMA3,
    "ultrabert": {"sliding_attention": {"rope_theta": 1e4}, "full_attention": {"rope_theta": 2_560_000.0}},
    "zaya": {
        "hybrid": {"rope_theta": 5e6, "partial_rotary_factor": 0.5},
        "hybrid_sliding": {"rope_theta": 1e4, "partial_rotary_factor": 0.5},
    },
}
# Whose code reads a rope_theta that stands alone as the base of the global layers, or of all; the others' passes it over.
BASE_OF_GLOBAL = frozenset("dots3_note gemma3 gemma3n t5gemma2 t5gemma2_decoder".split())
BASE_OF_ALL = frozenset(["neomme"])
_APERTUS = {"rope_type": "llama3", "rope_theta": 1.2e7, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
_APERTUS |= {"original_max_position_embeddings": 8192}
_CWM = _APERTUS | {"rope_theta": 1e6, "factor": 16.0}
_GPT_OSS = {"rope_type": "yarn", "rope_theta": 1.5e5, "factor": 32.0, "original_max_position_embeddings": 4096, "truncate": False}
_HIGGS = {"rope_type": "llama3", "rope_theta": 5e5, "factor": 32.0, "low_freq_factor": 0.125, "high_freq_factor": 0.5}
_HIGGS |= {"original_max_position_embeddings": 1024}
_YARN = {"rope_type": "yarn", "beta_fast": 32.0, "beta_slow": 1.0}
_MISTRAL = _YARN | {"mscale": 1.0, "mscale_all_dim": 1.0, "llama_4_scaling_beta": 0.1}
_MINISTRAL3 = _MISTRAL | {"rope_theta": 1e6, "factor": 16.0, "original_max_position_embeddings": 16_384}
_MISTRAL4 = _MISTRAL | {"rope_theta": 1e4, "factor": 128.0, "original_max_position_embeddings": 8192}
_LARGE4 = _YARN | {"rope_theta": 1e4, "factor": 2048.0, "original_max_position_embeddings": 512, "attention_factor": 1.0}
WHOLE: Mapping[str, dict[str, Any]] = {  # rope settings of a config that has none, whether or not it gives a base
    "apertus": _APERTUS,
    "apertus1p5": _APERTUS,
    "cosmos3_edge": {"rope_theta": 1e8},
    "cwm": _CWM,
    "gpt_oss": _GPT_OSS,
    "higgs_audio_v2": _HIGGS,
    "ministral3": _MINISTRAL3,
    "mistral4": _MISTRAL4,
    "mistral_large4": _LARGE4,
    "moonshine_streaming": {"rope_theta": 1e4, "partial_rotary_factor": 0.8},
    "muse_spark": {"rope_theta": 5e5},
    "nemotron3_5_transcribe_asr_audio": {"rope_theta": 1e4, "partial_rotary_factor": 0.5},
    "nemotron3_5_transcribe_word_timestamp": {"rope_theta": 1e4, "partial_rotary_factor": 0.5},
    "openai_privacy_filter": _GPT_OSS,
}
BASE_BESIDE = frozenset(["gpt_oss", "openai_privacy_filter"])  # whose code reads a base that stands alone; the others' does not
SU_BY_YARN = frozenset(["phi3", "phi4_multimodal"])  # whose first files say "yarn" of LongRoPE's two lists
ORIGINAL = {"phi3": 4096, "phi4_multimodal": 4096}  # original_max_position_embeddings of a scaling that does not give it
GLM4_WORDS = 151_552  # its padded_vocab_size, by which a config of model_type "chatglm" is known to be GLM-4's
SCALED_TYPES = {"step3p5": ["full_attention"]}  # the types of layer that a scaling is for, where it is not for all
UNLIKE = {("new", "ntk"): "not NTK-aware scaling but one of its own"}  # methods that a family computes otherwise (GTE v1.5)
IN_OTHER_WORDS = {  # what keys of native params files say, as rope_parameters say it
    "llama_4_scaling": "; there it is llama_4_scaling_beta, with original_max_position_embeddings",
    "rope_scaling_factor": "; in gpt-oss's own file it is YaRN's: there it is rope_type 'yarn' with this factor, truncate False, "
    "its rope_ntk_beta as beta_fast, rope_ntk_alpha as beta_slow, initial_context_length as original_max_position_embeddings",
    "use_scaled_rope": "; there Llama's own is rope_type 'llama3' with factor 8 (of Llama 3.2: 32), low_freq_factor 1, "
    "high_freq_factor 4, original_max_position_embeddings 8192",
    "yarn": "; there it is rope_type 'yarn', with its beta as beta_fast and its alpha as beta_slow",
}
LLAMA3_STEP = frozenset(["llama4"])  # Scout is published with bands that meet

# --- several axes: sections where configs give none, and their order
# "blocks": T..T H..H W..W; "interleaved": THWTHW.., then T; "hw": HWHW.., then T, sections in the order h, w, t

_GLM, _QWEN2, _QWEN3, _QWEN35 = [8, 12, 12], [16, 24, 24], [24, 20, 20], [11, 11, 10]
AXES: Mapping[str, tuple[str, list[int]]] = (
    _each(("blocks", _QWEN2), "paddleocr_vl qwen2_5_omni qwen2_5_omni_talker qwen2_5_vl qwen2_vl")
    | _each(("blocks", _GLM), "glm4v glm4v_moe glm_image glm_ocr")
    | _each(("interleaved", _QWEN3), "cohere_compass cosmos3_edge qwen3_omni_moe qwen3_omni_moe_talker qwen3_vl qwen3_vl_moe")
    | _each(("interleaved", _QWEN35), "qwen3_5 qwen3_5_moe qwen4_exp")
    | {"ernie4_5_vl_moe": ("hw", [22, 22, 20]), "hy_v4_vl": ("interleaved", [12, 10, 10])}
)
# What the code in transformers does with sections of which ropelib reads the publisher's.
AXES_OTHERWISE = {"hunyuan_vl": "gives the two channels of a pair to different axes"}
AXES_SAID = frozenset(["hunyuan_vl", "neomme"])  # whose code has several axes, and no sections of its own

# --- the sparse indexer beside attention: its layout, and the first of its channels that rotates ("last": they end the head)

INDEXER: Mapping[str, tuple[str, str]] = {
    "axk2": ("half", "first"),
    "deepseek_v32": ("half", "first"),
    "deepseek_v4": ("interleaved", "last"),
    "dots3_note": ("interleaved", "first"),
    "glm_moe_dsa": ("interleaved", "first"),
    "hy_v4": ("half", "last"),
    "hy_v4_vl": ("interleaved", "last"),
    "minimax_m3_vl": ("half", "first"),
    "mistral_large4": ("interleaved", "first"),
    "qwen4_exp": ("half", "first"),
}

# --- the cache: heads with keys of their own where configs give no number. A family that is not named has as many as queries.

KV_HEADS: Mapping[str, int] = (
    _each(
        2,
        "csm_depth_decoder_model embedding_gemma2 ernie4_5 gemma3n glm glm4 glm4v glm_image internlm3 muse_glimmer "
        "openai_privacy_filter paddleocr_vl qwen3_5_moe qwen3_next qwen3_omni_moe_talker qwen4_exp starcoder2 zaya",
    )
    | _each(
        4,
        "dia_decoder diffusion_gemma dory ernie4_5_moe ernie4_5_vl_moe flint gemma2 gemma3 gemma4 gemma4_unified "
        "granite_docling granite_swa kolibri1 lara_mini lfm3 mellum mimo_v2_flash minimax_m3_vl neomme qwen2_5_omni "
        "qwen2_5_omni_talker qwen3_5 qwen3_moe qwen3_omni_moe sarvam_moe smollm3 t5_gemma_module t5gemma2 "
        "t5gemma2_decoder vaultgemma",
    )
    | _each(
        8,
        "bamba beam cosmos3_edge csm cwm emu3 evolla exaone falcon_h1 glm4_moe glm4v_moe glm_ocr gpt_oss "
        "higgs_audio_v2 hy_v3 laguna lfm2 lfm2_moe llama4 minimax minimax_m2 ministral ministral3 mistral mixtral "
        "mllama molmo2 phi4_multimodal phimoe qwen2_5_vl qwen2_vl qwen3_omni_moe_talker_code_predictor seed_oss "
        "solar_open step3p5 voxtral_realtime",
    )
    | _each(
        8,
        "mimi mimi_decoder mimi_encoder muse_glimmer_assistant pocket_tts_audio_tokenizer "
        "pocket_tts_audio_tokenizer_decoder pocket_tts_audio_tokenizer_encoder",
    )
    | _each(16, "dia_encoder gemma jetmoe muse_spark neucodec qwen2_moe qwen3_vl_moe timesfm2_5 xcodec2")
    | _each(32, "chameleon deepseek_ocr2_encoder dots1 exaone4 exaone_moe qwen2 qwen3 qwen3_vl stablelm")
    | {"bitnet": 5, "dbrx": 1, "helium": 20, "unlimited_ocr": 10}
)
MULTI_QUERY = {"falcon": True, "RefinedWebModel": False}  # one head with keys for all queries, if nothing else is said
TWICE_SLIDING = frozenset(["mimo_v2_flash"])  # sliding layers have twice as many heads with keys
ATTENTIONS = {"longcat_flash": 2}  # in each layer
KV_SHARED = {"gemma3n": 15}  # the last layers, which look at the keys of earlier ones
ENCODERS = frozenset(  # unless a config says is_decoder
    (
        "clvp_encoder deepseek_ocr2_encoder dia_encoder dots3_note_audio_encoder embedding_gemma2 esm esmc eurobert "
        "glmasr_encoder gte jina_embeddings_v3 lasr_encoder mimi_encoder modernbert neomme new nomic_bert "
        "openai_privacy_filter pe_audio_encoder pe_audio_video_encoder pe_video_encoder roformer ultrabert"
    ).split()
)
