"""Words that figures and checks print: written in English in the code, shown in the notebook's language."""

LANGUAGES = ("zh-Hant", "en")
_language = "en"

# English key -> Taiwan Chinese. Sections follow the chapters; a word used by several stands under "shared".
WORDS = {
    # shared
    "position": "位置",
    "position {m}": "位置 {m}",
    "relative distance": "相對距離",
    "score": "分數",
    "query": "查詢",
    "key": "鍵",
    # landing page
    "a turn in {n}": "{n} 位轉一圈",
    "the score at (7, 3) equals the score at (1007, 1003)": "(7, 3) 的分數等於 (1007, 1003) 的分數",
    "the score at (7, 3) differs from the score at (7, 4)": "(7, 3) 的分數不同於 (7, 4) 的分數",
    # 04
    "add a vector": "加上向量",
    "stretch by position": "依位置拉長",
    "turn the query only": "只轉查詢",
    "turn both": "兩邊都轉",
    "spread along a diagonal: {x}": "斜線上的落差：{x}",
    "query position m": "查詢位置 m",
    "key position n": "鍵的位置 n",
    "turn both: every diagonal is constant": "兩邊都轉：每條斜線都是常數",
    "the other three: some diagonal varies by more than 1": "另外三種：總有斜線的落差超過 1",
    "before": "轉之前",
    "both turned by 50°": "一起轉 50°",
    "Re[q conj(k)] is the inner product": "Re[q conj(k)] 就是內積",
    "turning both leaves q conj(k) alone": "一起轉，q conj(k) 不動",
    "turning both turns q k by twice the angle": "一起轉，q k 轉了兩倍角度",
    "length: stays": "長度：不變",
    "phase: the same step each time": "相位：每步一樣多",
    "phase (radians)": "相位（弧度）",
    "the length does not depend on position": "長度與位置無關",
    "the phase is an arithmetic sequence": "相位是等差數列",
    "ropelib.rotate agrees": "ropelib.rotate 的結果相同",
    "a common start angle changes no score": "共同的起始角不改變任何分數",
    "proved: Re[q conj(k)] = ac + bd": "證明：Re[q conj(k)] = ac + bd",
    "proved: the score depends on m - n only": "證明：分數只看 m - n",
    "proved: moving both by any t changes nothing": "證明：一起平移任意 t，分數不變",
    "proved: the norm is kept": "證明：範數不變",
    "and the prover can say no: turning q only is not relative": "它也會說不：只轉 q 就不是相對的",
    "m - n and n - m: the same scores": "m - n 與 n - m：分數相同",
    "the matrix between the two is R at n - m": "夾在中間的矩陣是 n - m 處的 R",
    "clockwise, with mirrored q and k: the same scores": "順時針，q 與 k 照鏡子：分數相同",
    "clockwise, with the same q and k: other scores": "順時針，q 與 k 不變：分數不同",
    "a reflection is relative too": "鏡射也只看相對距離",
    "but it has only two scores: even distance, odd distance": "可是只有兩種分數：距離偶數、距離奇數",
    "random orthogonal O: the score depends on m - n only": "隨機的正交矩陣 O：分數只看 m - n",
    "every eigenvalue lies on the unit circle": "特徵值全在單位圓上",
    "U is orthogonal": "U 是正交矩陣",
    "U block-diagonal(R(θ)) Uᵀ gives O back": "U 分塊對角(R(θ)) Uᵀ 還原出 O",
    "two channels of $O^m q$": "$O^m q$ 的前兩個分量",
    "the same path in the coordinates of $U$": "同一條路徑，換到 $U$ 的座標",
    "Uᵀ inside the weights: the same scores": "Uᵀ 併進權重：分數相同",
    "B is skew-symmetric": "B 是反對稱矩陣",
    "exp(B) = O": "exp(B) = O",
    "half steps work": "走半步也成立",
    "determinant -1: one eigenvalue +1 and one -1": "行列式 -1：特徵值有一個 +1、一個 -1",
    "with the conjugate: sees m − n": "有共軛：看 m − n",
    "without: sees m + n": "沒有共軛：看 m + n",
    "a real key at position 0 hides the slip": "鍵是實數又站在位置 0：看不出失手",
    "shift invariance, without the conjugate": "平移不變，沒有共軛",
    "shift invariance, with the conjugate": "平移不變，有共軛",
    "without it, every anti-diagonal is constant": "沒有共軛，每條反斜線都是常數",
    "np.vdot(k, q) keeps the conjugate, on its first argument": "np.vdot(k, q) 有取共軛，取在第一個引數",
    "the conjugate was dropped, so the angles add": "少了共軛，角度變成相加",
    "the conjugate was dropped": "少了共軛",
    "the angle was turned the wrong way: n - m": "角度轉反了：用了 n - m",
    "nothing was turned": "完全沒有旋轉",
    "|q| = |k|: both turn at the same speed, so the diagonals stay constant": "|q| = |k|：兩者轉得一樣快，斜線上仍是常數",
    "a diagonal is not constant": "有一條斜線不是常數",
    "keys grow as queries do, so the score sees m + n": "鍵跟著查詢一起變長，分數看的是 m + n",
    "keys keep their length, so the score sees m itself": "鍵的長度不變，分數看得見 m 本身",
    "two maps: the score depends on m - n only": "各用各的：分數只看 m - n",
    # checks
    "expected below": "應小於",
    "no answer yet: put yours in place of the dots": "還沒有作答：請把刪節號換成你的答案",
    "shape: got {got}, expected {want}": "形狀：得到 {got}，應為 {want}",
    "got {got}, expected numbers": "得到 {got}，應為數字",
    "this is what you get when: {slip}": "這個結果的由來：{slip}",
    "off most at {place}: got {got}, expected a value that differs by {gap}": "{place} 差最多：得到 {got}，與正確值相差 {gap}",
    "the number itself": "這個數",
}


def use(language):
    """Choose the language of every label from here on.

    Parameters
    ----------
    language : str
        ``"zh-Hant"`` or ``"en"``.

    Raises
    ------
    ValueError
        If the language is not one of the two.
    """
    global _language
    if language not in LANGUAGES:
        raise ValueError(f"language: got {language!r}, expected one of {', '.join(map(repr, LANGUAGES))}")
    _language = language


def t(text, **values):
    """Give a label in the chosen language.

    Parameters
    ----------
    text : str
        The English label, a key of `WORDS`.
    **values
        What ``{name}`` in the label stands for.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If the label has no Chinese: in either language, so that one notebook cannot run ahead of its twin.
    """
    if text not in WORDS:
        raise ValueError(f"text: got {text!r}, which ropelib.labels.WORDS does not hold; add its Chinese there")
    word = WORDS[text] if _language == "zh-Hant" else text
    return word.format(**values) if values else word
