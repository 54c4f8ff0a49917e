"""Static TrueType faces for paper, fetched once from npm, each with its hash. All are under the OFL or DejaVu's licence."""

import tarfile
from pathlib import Path

from ..packages import fetched

FOLDER = Path(__file__).parents[2] / "_build" / "pdf" / "fonts"
PACKAGES = {  # what npm fetches: the hash of the package, the faces taken from it
    "@expo-google-fonts/noto-sans-tc@0.4.3": (
        "e7532a3a43a6c660ee0351a167b99fe0da52f20b4940fb3fc067ed7c5bd594bf",
        ["400Regular/NotoSansTC_400Regular.ttf", "700Bold/NotoSansTC_700Bold.ttf"],
    ),
    "@expo-google-fonts/source-sans-3@0.4.1": (
        "eb41834f563921e19b18b40bc924b97110983aef800d9cb67b9186f546311828",
        [
            "400Regular/SourceSans3_400Regular.ttf",
            "400Regular_Italic/SourceSans3_400Regular_Italic.ttf",
            "700Bold/SourceSans3_700Bold.ttf",
            "700Bold_Italic/SourceSans3_700Bold_Italic.ttf",
        ],
    ),
    "dejavu-fonts-ttf@2.37.3": (
        "b7013ac58f9225250619db82cfb72e99c37ca8195f2b5a06a9e6a95bc5e1c84a",
        ["ttf/DejaVuSansMono.ttf", "ttf/DejaVuSansMono-Bold.ttf", "ttf/DejaVuSansMono-Oblique.ttf"],
    ),
}


def fetch():
    """Every face lies in FOLDER afterwards. Returns that folder."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for package, (digest, faces) in PACKAGES.items():
        if not all((FOLDER / Path(face).name).exists() for face in faces):
            _unpack(_packed(package, digest), faces)
    return FOLDER


def _packed(package, digest):
    """The package's file, as npm names it."""
    name, version = package.rsplit("@", 1)
    path = FOLDER / f"{name.strip('@').replace('/', '-')}-{version}.tgz"
    return fetched(path, ["npm", "pack", "--silent", package], digest)


def _unpack(path, faces):
    with tarfile.open(path) as archive:
        for face in faces:
            (FOLDER / Path(face).name).write_bytes(archive.extractfile(f"package/{face}").read())
