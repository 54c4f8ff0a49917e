"""The book's own image and the panes it is seen through."""

import numpy as np
import pytest

from ropelib.book.landscape import landscape, through


def test_a_picture_in_few_colours():
    """Flat colours keep a stored picture small."""
    picture = landscape(96, 144)
    assert picture.shape == (96, 144, 3) and picture.min() >= 0 and picture.max() <= 1
    assert len(np.unique((255 * picture).round().reshape(-1, 3), axis=0)) < 120


def test_the_sun_stands_where_it_is_told():
    low, high = landscape(96, 144, sun=(0.3, 0.5)), landscape(96, 144, sun=(0.3, 0.1))
    assert high[9, 43].sum() > low[9, 43].sum()
    assert np.array_equal(low[:, 130:], high[:, 130:])


def test_panes():
    picture, share = landscape(4, 6), np.array([[1, 0.25, 0], [0, 0.5, 2]])
    clear = through(picture, share)
    assert np.array_equal(clear[..., :3], picture)
    assert clear[:, :, 3].tolist() == np.repeat(np.repeat(share.clip(0, 1), 2, 0), 2, 1).tolist()
    night = through(picture, share, "#000000")
    np.testing.assert_allclose(night, picture * clear[..., 3:])
    with pytest.raises(ValueError, match="share: got"):
        through(picture, np.ones((3, 3)))
