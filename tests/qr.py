"""Reads a QR code back from the strokes of its SVG path, by a library of its own."""

import re

import zxingcpp

#: Dots a module.
_DOTS = 4


def read_qr(path: str, size: int) -> str:
    """What the QR code says."""
    width = size * _DOTS
    dots = bytearray(b"\xff" * width * width)
    for x, y, length in re.findall(r"M(\d+) (\d+)\.5h(\d+)", path):
        for row in range(int(y) * _DOTS, int(y) * _DOTS + _DOTS):
            start = row * width + int(x) * _DOTS
            dots[start : start + int(length) * _DOTS] = bytes(int(length) * _DOTS)
    image = memoryview(dots).cast("B", (width, width))
    (found,) = zxingcpp.read_barcodes(image)
    return str(found.text)
