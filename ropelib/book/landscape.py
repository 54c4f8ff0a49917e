"""A lake at dusk, drawn from sums of waves: an image of the book's own, to be cut into patches."""

import numpy as np

HORIZON = 0.64  # of the height
SKY = ["#2a4d8f", "#3f66a8", "#6680b8", "#9a92bd", "#cf9fac", "#f2b08c", "#fccb80"]
WATER = "#14264a"
RIDGES = [  # height above the horizon; its waves: strength, how many across, where they start; colour
    (0.15, [(0.09, 0.9, 0.5), (0.05, 2.1, 0.02), (0.016, 7.0, 0.7)], "#8d7fb0"),
    (0.10, [(0.06, 1.4, 0.05), (0.03, 3.7, 0.35), (0.012, 9.0, 0.2)], "#54608f"),
    (0.035, [(0.04, 1.1, 0.65), (0.015, 5.0, 0.9), (0.008, 17.0, 0.4)], "#263f5e"),
]
SUN, SUN_PLACE, SUN_SIZE = "#fff1c9", (0.62, 0.345), 0.085  # across and down; radius in heights
HALO = [(2.4, 0.18), (1.65, 0.3), (1.0, 1.0)]  # radius in suns, and how much of its colour


def _colour(name):
    """Red, green and blue of #rrggbb, each 0 to 1."""
    return np.array([int(name[k : k + 2], 16) for k in (1, 3, 5)]) / 255


def landscape(height, width, sun=SUN_PLACE):
    """Sky, sun, three ridges and their reflection in a lake, in flat colours.

    Parameters
    ----------
    height, width : int
        Pixels.
    sun : (float, float)
        Where it stands: across and down, 0 to 1.

    Returns
    -------
    ndarray, shape (height, width, 3), float64
        Red, green and blue, 0 to 1.

    Examples
    --------
    >>> landscape(96, 144).shape
    (96, 144, 3)
    """
    y, x = (np.indices((height, width)) + 0.5) / np.array([height, width])[:, None, None]
    down = np.maximum(y - HORIZON, 0) / (1 - HORIZON)  # 0 at the far shore, 1 at the near one
    ripple = 0.006 * down * np.sin(300 * y)
    seen = _above(np.where(down > 0, 2 * HORIZON - y, y), x + ripple, width / height, sun)
    murk = np.where(down > 0, np.round(3.4 + 2.2 * down) / 12, 0)[..., None]
    return seen + murk * (_colour(WATER) - seen)


def _above(y, x, across, sun):
    """What stands above the horizon at the places (x, y); `across` is width over height."""
    band = np.clip((y / HORIZON) ** 1.15 * len(SKY), 0, len(SKY) - 1).astype(int)
    picture = np.array([_colour(name) for name in SKY])[band]
    away = np.hypot((x - sun[0]) * across, y - sun[1]) / SUN_SIZE
    for reach, share in HALO:
        picture = np.where((away < reach)[..., None], picture + share * (_colour(SUN) - picture), picture)
    for rise, waves, paint in RIDGES:
        top = rise + sum(strength * np.sin(2 * np.pi * (turns * x + start)) for strength, turns, start in waves)
        picture = np.where((y > HORIZON - np.maximum(top, 0.004))[..., None], _colour(paint), picture)
    return picture


def through(picture, share, ground=None):
    """A picture behind a grid of panes, one for each patch.

    Parameters
    ----------
    picture : ndarray, shape (height, width, 3)
    share : ndarray, shape (rows, columns)
        1 for a clear pane, 0 for one that hides its patch. Rows and columns divide height and width.
    ground : str, optional
        ``"#rrggbb"``, what hides; without it the picture becomes transparent.

    Returns
    -------
    ndarray, shape (height, width, 3), or 4 where it is transparent

    Raises
    ------
    ValueError
        If the panes do not divide the picture.

    Examples
    --------
    >>> through(landscape(4, 6), np.eye(2)).shape
    (4, 6, 4)
    """
    share = np.clip(share, 0, 1)
    if picture.shape[0] % share.shape[0] or picture.shape[1] % share.shape[1]:
        raise ValueError(f"share: got {share.shape} panes, expected numbers that divide {picture.shape[:2]} pixels")
    panes = np.kron(share, np.ones(np.floor_divide(picture.shape[:2], share.shape)))[..., None]
    if ground is None:
        return np.concatenate([picture, panes], axis=-1)
    return _colour(ground) + panes * (picture - _colour(ground))
