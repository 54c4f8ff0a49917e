"""A formula in a line of text: as short Unicode where it can be, as three dots where it cannot."""

import re
import unicodedata

LONGEST = 60
NAMES = "ALPHA BETA GAMMA DELTA EPSILON ZETA ETA THETA IOTA KAPPA LAMBDA MU NU XI PI RHO SIGMA TAU PHI CHI PSI OMEGA"
SIGNS = {
    "cdot": "·", "times": "×", "pm": "±", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠", "approx": "≈",
    "to": "→", "infty": "∞", "sum": "∑", "prod": "∏", "int": "∫", "in": "∈", "langle": "⟨", "rangle": "⟩", "lVert": "‖",
    "rVert": "‖", "Vert": "‖", "lvert": "|", "rvert": "|", "vert": "|", "mid": "|", "top": "ᵀ", "dots": "…", "ldots": "…",
    "cdots": "…", "quad": " ", "qquad": " ", "circ": "°", "degree": "°", "lceil": "⌈", "rceil": "⌉", "lfloor": "⌊", "rfloor": "⌋",
    "ell": "ℓ", "propto": "∝", "sqrt": "√", "otimes": "⊗", "oplus": "⊕", "mapsto": "↦", "perp": "⊥", "equiv": "≡",
    "ll": "≪", "gg": "≫",
}  # fmt: skip
for _name in NAMES.split():
    SIGNS[_name.lower()] = unicodedata.lookup(f"GREEK SMALL LETTER {'LAMDA' if _name == 'LAMBDA' else _name}")
    SIGNS["var" + _name.lower()] = SIGNS[_name.lower()]
    SIGNS[_name.capitalize()] = SIGNS[_name.lower()].upper()
WORDS = {"cos", "sin", "exp", "log", "ln", "max", "min", "Re", "Im", "det", "arg"}
LOW = dict(zip("0123456789+-=()aehijklmnoprstuvxθ", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ?", strict=True))
HIGH = dict(zip("0123456789+-=()abcdefghijklmnoprstuvwxyzTᵀ", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᵀᵀ", strict=True))
del LOW["θ"]


def _raised(match):
    sign, body = match[1], (match[2] or match[3]).replace("−", "-").replace(" ", "")
    table = HIGH if sign == "^" else LOW
    if all(c in table for c in body):
        return "".join(table[c] for c in body)
    return f"{sign}{body}" if len(body) == 1 else f"{sign}({body})"


def short(tex):
    """Give a formula as a reader would say it in a line.

    >>> short(r"\\theta_i = b^{-2i/d}")
    'θᵢ = b^(-2i/d)'
    >>> short(r"R_m^\\top R_n")
    'RₘᵀRₙ'
    """
    if "\\begin" in tex or "\\\\" in tex:
        return "…"
    tex = re.sub(r"\\(?:label|tag|hspace|vspace)\{[^}]*\}|\\[,;:! ]|~", " ", tex)
    for _ in range(3):  # one in another
        tex = re.sub(r"\\(?:math\w+|text\w*|operatorname\*?|boldsymbol|bar|hat|tilde|overline|underline)\{([^{}]*)\}", r"\1", tex)
        tex = re.sub(r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}", r"\1/\2", tex)
        tex = re.sub(r"\\sqrt\{([^{}]*)\}", r"√(\1)", tex)
    tex = re.sub(r"\\(?:math\w+|boldsymbol|bar|hat|tilde|overline|text\w*) (\w)", r"{\1}", tex)
    tex = re.sub(r"\\(?:left|right|big|Big|bigl|bigr|displaystyle|limits|bigg|Bigl|Bigr)(?![a-z])", "", tex)
    tex = re.sub(r"\\([A-Za-z]+) ?", lambda m: SIGNS.get(m[1]) or (f"{m[1]} " if m[1] in WORDS else f"\\{m[1]} "), tex)
    tex = re.sub(r"([_^])(?:\{([^{}]*)\}|(\S))", _raised, tex)
    tex = re.sub(r"\\([{}%&#_])", r"\1", tex).replace("{", "").replace("}", "")
    tex = re.sub(r"\s+", " ", tex).strip()
    tex = re.sub(r"(?<=[⁰-ₜᵢ-ᵥᵀ]) (?=\w)", "", tex)
    return "…" if "\\" in tex or len(tex) > LONGEST else tex
