#!/usr/bin/env python3
"""Draws icon.png, the icon of the packages: a W whose corners are a graph. Needs Python alone, and only when the icon changes."""
import math
import os
import struct
import zlib

SIZE, SAMPLES = 128, 4
GROUND, LINE, OUTER, INNER = (23, 50, 77), (92, 200, 255), (255, 255, 255), (255, 180, 84)
POINTS = [(22, 40, OUTER), (43, 92, INNER), (64, 48, OUTER), (85, 92, INNER), (106, 40, OUTER)]


def distance(x, y, a, b):
    """The distance of a point from a line between two others."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    t = max(0, min(1, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy)))
    return math.hypot(x - a[0] - t * dx, y - a[1] - t * dy)


def color(x, y):
    """The color of a point, or None outside the rounded square."""
    for px, py, fill in POINTS:
        if math.hypot(x - px, y - py) <= 10:
            return fill
    if any(distance(x, y, a, b) <= 4.5 for a, b in zip(POINTS, POINTS[1:])):
        return LINE
    inset = max(abs(x - 64) - 36, 0), max(abs(y - 64) - 36, 0)
    return GROUND if math.hypot(*inset) <= 24 else None


def pixel(x, y):
    steps = [(i + 0.5) / SAMPLES for i in range(SAMPLES)]
    seen = [c for c in (color(x + i, y + j) for i in steps for j in steps) if c]
    mean = [round(sum(c[k] for c in seen) / len(seen)) if seen else 0 for k in range(3)]
    return bytes([*mean, round(255 * len(seen) / SAMPLES ** 2)])


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


rows = b"".join(b"\0" + b"".join(pixel(x, y) for x in range(SIZE)) for y in range(SIZE))
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "icon.png"), "wb") as file:
    file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", SIZE, SIZE, 8, 6, 0, 0, 0))
               + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))
