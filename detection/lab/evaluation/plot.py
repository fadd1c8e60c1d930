"""Curves as a self-contained SVG file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

_WIDTH, _HEIGHT = 640, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 170, 40, 50
#: Each curve has its own dashes, which are distinguishable without colours.
_STROKES = (("#0072b2", ""), ("#d55e00", "6 3"), ("#555555", "2 3"), ("#009e73", "8 3 2 3"))
_TICKS = 5


@dataclass(frozen=True, slots=True)
class Curve:
    """Points (x, y), joined in the order of x."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class _Scale:
    """The scale of one axis."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    @property
    def ticks(self) -> list[float]:
        step = _round_step((self.high - self.low) / _TICKS)
        first = math.ceil(self.low / step)
        return [step * position for position in range(first, math.floor(self.high / step) + 1)]


def _round_step(rough: float) -> float:
    """The least of 1, 2, 5, 10, ... that is not below ``rough``."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * (1 - 1e-9))


def as_svg(title: str, x_label: str, y_label: str, curves: Sequence[Curve]) -> str:
    """The curves with axes and a legend.

    Raises:
        ValueError: there is no point.
    """
    points = [point for curve in curves for point in curve.points]
    if not points:
        raise ValueError("There is nothing to draw.")
    across = _scale([x for x, _ in points], _LEFT, _WIDTH - _RIGHT)
    up = _scale([y for _, y in points], _HEIGHT - _BOTTOM, _TOP)
    size = {"viewBox": f"0 0 {_WIDTH} {_HEIGHT}", "width": str(_WIDTH), "height": str(_HEIGHT)}
    svg = ET.Element(
        "svg", {"xmlns": "http://www.w3.org/2000/svg", "font-family": "sans-serif", "font-size": "12", **size}
    )
    ET.SubElement(svg, "title").text = title
    ET.SubElement(svg, "rect", {"width": "100%", "height": "100%", "fill": "white"})
    _text(svg, _LEFT, _TOP / 2, title, size="14")
    _axes(svg, across, up, x_label, y_label)
    for position, (curve, (colour, dashes)) in enumerate(zip(curves, _STROKES, strict=False)):
        _curve(svg, curve, across, up, colour, dashes)
        _legend(svg, curve.name, _TOP + 20 * position, colour, dashes)
    return ET.tostring(svg, encoding="unicode")


def _scale(values: Sequence[float], start: float, end: float) -> _Scale:
    margin = 0.05 * (max(values) - min(values)) or 1.0
    return _Scale(min(values) - margin, max(values) + margin, start, end)


def _axes(svg: ET.Element, across: _Scale, up: _Scale, x_label: str, y_label: str) -> None:
    for value in across.ticks:
        _line(svg, (across.at(value), up.start), (across.at(value), up.end), "#dddddd")
        _text(svg, across.at(value), up.start + 18, f"{value:g}", anchor="middle")
    for value in up.ticks:
        _line(svg, (across.start, up.at(value)), (across.end, up.at(value)), "#dddddd")
        _text(svg, across.start - 8, up.at(value) + 4, f"{value:g}", anchor="end")
    _text(svg, (across.start + across.end) / 2, up.start + 38, x_label, anchor="middle")
    label = _text(svg, 0, 0, y_label, anchor="middle")
    label.set("transform", f"translate(16 {(up.start + up.end) / 2:.0f}) rotate(-90)")


def _curve(svg: ET.Element, curve: Curve, across: _Scale, up: _Scale, colour: str, dashes: str) -> None:
    places = [(across.at(x), up.at(y)) for x, y in sorted(curve.points)]
    line = {"points": " ".join(f"{x:.1f},{y:.1f}" for x, y in places), "fill": "none", "stroke-width": "2"}
    ET.SubElement(svg, "polyline", {**line, "stroke": colour, "stroke-dasharray": dashes or "none"})
    for x, y in places:
        ET.SubElement(svg, "circle", {"cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": "3", "fill": colour})


def _legend(svg: ET.Element, name: str, y: float, colour: str, dashes: str) -> None:
    x = _WIDTH - _RIGHT + 12
    _line(svg, (x, y), (x + 24, y), colour, dashes=dashes, width="2")
    _text(svg, x + 30, y + 4, name)


def _line(
    svg: ET.Element,
    start: tuple[float, float],
    end: tuple[float, float],
    colour: str,
    *,
    dashes: str = "",
    width: str = "1",
) -> None:
    ends = {"x1": f"{start[0]:.1f}", "y1": f"{start[1]:.1f}", "x2": f"{end[0]:.1f}", "y2": f"{end[1]:.1f}"}
    ET.SubElement(svg, "line", {**ends, "stroke": colour, "stroke-width": width, "stroke-dasharray": dashes or "none"})


def _text(svg: ET.Element, x: float, y: float, text: str, *, anchor: str = "start", size: str = "12") -> ET.Element:
    element = ET.SubElement(
        svg, "text", {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor, "font-size": size, "fill": "#222222"}
    )
    element.text = text
    return element
