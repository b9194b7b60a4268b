"""SVG from vectors."""

from __future__ import annotations

from companion.art.draw.vector import Clip, Drawing, Node, Path, Point, Shape


def to_svg(drawing: Drawing, title: str) -> str:
    """A stand-alone SVG document in millimetres, with `title` for those who cannot see it."""
    width, height = _num(drawing.width), _num(drawing.height)
    clips: list[str] = []
    body = "".join(_node(node, clips) for node in drawing.nodes)
    defs = f"<defs>{''.join(clips)}</defs>" if clips else ""
    escaped = title.replace("&", "&amp;").replace("<", "&lt;")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}" role="img" fill-rule="evenodd" '
        f'stroke-linecap="round" stroke-linejoin="round"><title>{escaped}</title>{defs}{body}</svg>\n'
    )


def _node(node: Node, clips: list[str]) -> str:
    if isinstance(node, Shape):
        return _shape(node)
    return _clip(node, clips) if node.nodes else ""


def _clip(clip: Clip, clips: list[str]) -> str:
    name = f"c{len(clips)}"
    clips.append(f'<clipPath id="{name}"><path clip-rule="evenodd" d="{_path(clip.path)}"/></clipPath>')
    return f'<g clip-path="url(#{name})">{"".join(_node(node, clips) for node in clip.nodes)}</g>'


def _shape(shape: Shape) -> str:
    paint = f' fill="{shape.fill or "none"}"'
    if shape.stroke:
        paint += f' stroke="{shape.stroke}" stroke-width="{_num(shape.width)}"'
    return f'<path d="{_path(shape.path)}"{paint}/>'


def _path(path: Path) -> str:
    parts: list[str] = []
    for contour in path.contours:
        parts.append("M" + _point(contour.start))
        for command in contour.commands:
            parts.append(("L" if len(command) == 1 else "C") + " ".join(_point(point) for point in command))
        if contour.closed:
            parts.append("Z")
    return "".join(parts)


def _point(point: Point) -> str:
    return f"{_num(point[0])},{_num(point[1])}"


def _num(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
