#!/usr/bin/env python3
"""Makes scans from known text: pages as a scanner and a careless hand would leave them.

    python make_scans.py FOLDER            the scans of the tests
    python make_scans.py FOLDER --all      the scans of the measurements

A page is set in a common typeface, tilted, greyed, blurred, sprinkled with noise and squeezed
through JPEG, always with the same seed. Needs Pillow and numpy, and the typefaces DejaVu and
Liberation of the system (fonts-dejavu-core, fonts-liberation).
"""

import argparse
import io
from pathlib import Path

import numpy
from PIL import Image, ImageDraw, ImageFilter, ImageFont

HERE = Path(__file__).resolve().parent
A4_INCHES = (8.27, 11.69)
TYPEFACES = {
    "serif": "/usr/share/fonts/truetype/liberation/LiberationSerif-Regular.ttf",
    "sans": "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "grotesque": "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
}


def page(text, dpi, typeface, points=11, inches=A4_INCHES, columns=1):
    """The text set on white paper. Lines of a table are those after a title without a dot."""
    width, height = (round(side * dpi) for side in inches)
    image = Image.new("L", (width, height), 255)
    draw = ImageDraw.Draw(image)
    font = ImageFont.truetype(TYPEFACES[typeface], round(points * dpi / 72))
    title = ImageFont.truetype(TYPEFACES[typeface], round(points * 1.5 * dpi / 72))
    leading = round(points * 1.35 * dpi / 72)
    margin = round(0.1 * width)
    gutter = round(0.06 * width)
    column_width = (width - 2 * margin - (columns - 1) * gutter) // columns
    blocks = text.strip().split("\n\n")
    x, y, top = margin, margin, None
    for number, block in enumerate(blocks):
        lines = block.split("\n")
        if len(lines) > 1:
            cells = [split_row(line) for line in lines]
            for row in cells:
                for column, cell in enumerate(row):
                    draw.text((x + column * column_width * 0.3, y), cell, font=font, fill=0)
                y += round(leading * 1.2)
        elif number == 0 or len(block) < 40:
            draw.text((x, y), block, font=title, fill=0)
            y += round(leading * 1.6)
        else:
            for line in wrapped(block, font, column_width):
                draw.text((x, y), line, font=font, fill=0)
                y += leading
        y += round(leading * 0.7)
        if number == 0:
            top = y
        per_column = -(-(len(blocks) - 1) // columns)
        if columns > 1 and number % per_column == 0 and number and number < len(blocks) - 1:
            x, y = x + column_width + gutter, top
    return image


def split_row(line):
    """Cells: the first word, the last one or two (an amount with its sign), what is between."""
    words = line.split(" ")
    last = 2 if words[-1] == "€" else 1
    return words[0], " ".join(words[1:-last]), " ".join(words[-last:])


def wrapped(block, font, width):
    line = ""
    for word in block.split(" "):
        longer = f"{line} {word}".strip()
        if line and font.getlength(longer) > width:
            yield line
            line = word
        else:
            line = longer
    yield line


def scanned(image, seed, tilt=0.0, paper=255, ink=0, noise=0.0, blur=0.0, jpeg=None):
    """The page after the scanner: `paper` and `ink` are greys, `noise` their deviation."""
    image = image.rotate(tilt, resample=Image.BICUBIC, fillcolor=255)
    if blur:
        image = image.filter(ImageFilter.GaussianBlur(blur))
    pixels = numpy.asarray(image, dtype=numpy.float32)
    pixels = ink + pixels * ((paper - ink) / 255.0)
    if noise:
        pixels += numpy.random.default_rng(seed).normal(0, noise, pixels.shape)
    image = Image.fromarray(numpy.clip(pixels, 0, 255).astype(numpy.uint8))
    if jpeg:
        squeezed = io.BytesIO()
        image.save(squeezed, "JPEG", quality=jpeg)
        image = Image.open(squeezed).convert("L")
    return image


CLEAN = {}
OFFICE = dict(tilt=1.0, paper=235, ink=30, noise=6, blur=0.6, jpeg=60)
POOR = dict(tilt=-2.0, paper=200, ink=60, noise=14, blur=1.0, jpeg=35)


def measurements():
    """Name, text, picture of every scan that the engine is measured on."""
    for language in ("french", "english"):
        text = (HERE / f"{language}.txt").read_text("utf-8")
        for typeface in TYPEFACES:
            for dpi in (200, 300):
                for state, harm in (("clean", CLEAN), ("office", OFFICE), ("poor", POOR)):
                    image = scanned(page(text, dpi, typeface), dpi, **harm)
                    for turn in (0, 90, 180, 270):
                        if turn and (typeface != "serif" or state == "clean"):
                            continue
                        name = f"{language}-{typeface}-{dpi}-{state}-{turn}"
                        yield name, text, image.rotate(turn, expand=True), dpi
    text = (HERE / "columns.txt").read_text("utf-8")
    for dpi in (200, 300):
        image = page(text, dpi, "serif", columns=2)
        yield f"columns-serif-{dpi}-office-0", text, scanned(image, dpi, **OFFICE), dpi


def few_greys(image, count=4):
    """So that the file stays small: a scanner's office setting does the same."""
    return image.point([round(round(grey / 255 * (count - 1)) * 255 / (count - 1)) for grey in range(256)])


def tests():
    """The scans of the tests: small enough to lie beside them."""
    harm = dict(paper=238, ink=40, blur=0.7)
    for name, text, typeface, columns, turn, tilt in (
        ("french-upright", "french", "serif", 1, 0, 1.0),
        ("french-upside-down", "french", "sans", 1, 180, -1.0),
        ("english-quarter-turn", "english", "grotesque", 1, 90, 1.5),
        ("columns", "columns", "serif", 2, 0, 0.0),
    ):
        content = (HERE / f"{text}.txt").read_text("utf-8")
        image = page(content, 150, typeface, points=12, columns=columns)
        yield name, content, few_greys(scanned(image, 1, tilt=tilt, **harm)).rotate(turn, expand=True), 150


def main():
    parser = argparse.ArgumentParser(description="Makes scans from known text.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--all", action="store_true", help="the scans of the measurements")
    wanted = parser.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    for name, text, image, dpi in measurements() if wanted.all else tests():
        image.save(wanted.folder / f"{name}.png", optimize=not wanted.all, dpi=(dpi, dpi))
        if wanted.all:
            (wanted.folder / f"{name}.txt").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
