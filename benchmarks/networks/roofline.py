# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""A roofline as SVG: what layers do in a cycle against what they do for each byte, under the roofs of their machines."""
import html
import math

WIDTH, HEIGHT = 960, 600
LEFT, RIGHT, TOP, BOTTOM = 80, 250, 60, 64
COLOURS = ["#1f5fa8", "#c8571b", "#2f7d4f", "#7a4a9e"]
INK, FAINT = "#222", "#ddd"


def powers(low, high):
    """Powers of ten, the first at most `low`, the last at least `high`."""
    return [10.0 ** e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]


def shown(v):
    return f"{v:g}" if 0.001 <= v < 10000 else f"{v:.0e}".replace("e+0", "e").replace("e-0", "e-")


def text(x, y, words, size=13, anchor="start", colour=INK, extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}" {extra}>{html.escape(words)}</text>'


def mark(shape, x, y, r, colour):
    if shape == 0:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="{colour}" fill-opacity="0.55" stroke="{colour}"/>'
    return f'<rect x="{x - r:.1f}" y="{y - r:.1f}" width="{2 * r:.1f}" height="{2 * r:.1f}" fill="{colour}" fill-opacity="0.55" stroke="{colour}"/>'


def roofline(title, machines):
    """The picture of `machines`, each {name, peaks: operations a cycle, bytes_per_cycle, layers: [{operations, bytes, cycles}]}. A mark
    grows with a layer's share of its machine's cycles."""
    every = [(layer["operations"] / layer["bytes"], layer["operations"] / layer["cycles"]) for m in machines for layer in m["layers"]]
    ridges = [peak / m["bytes_per_cycle"] for m in machines for peak in m["peaks"]]
    xs = powers(min(x for x, _ in every), max([x for x, _ in every] + [2 * r for r in ridges]))
    ys = powers(min(y for _, y in every), max(p for m in machines for p in m["peaks"]))
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM

    def at_x(v):
        return LEFT + (right - LEFT) * (math.log10(v) - math.log10(xs[0])) / (math.log10(xs[-1]) - math.log10(xs[0]))

    def at_y(v):
        return bottom - (bottom - TOP) * (math.log10(v) - math.log10(ys[0])) / (math.log10(ys[-1]) - math.log10(ys[0]))

    made = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif">',
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>', text(LEFT, 32, title, 17)]
    for v in xs:
        made.append(f'<line x1="{at_x(v):.1f}" y1="{TOP}" x2="{at_x(v):.1f}" y2="{bottom}" stroke="{FAINT}"/>' + text(at_x(v), bottom + 20, shown(v), 12, "middle"))
    for v in ys:
        made.append(f'<line x1="{LEFT}" y1="{at_y(v):.1f}" x2="{right}" y2="{at_y(v):.1f}" stroke="{FAINT}"/>' + text(LEFT - 8, at_y(v) + 4, shown(v), 12, "end"))
    made.append(text((LEFT + right) / 2, HEIGHT - 18, "operations for each byte from and to DRAM", 14, "middle"))
    made.append(text(22, (TOP + bottom) / 2, "operations in a cycle", 14, "middle", INK, f'transform="rotate(-90 22 {(TOP + bottom) / 2:.1f})"'))
    legend = TOP + 6
    for number, m in enumerate(machines):
        colour, bandwidth = COLOURS[number % len(COLOURS)], m["bytes_per_cycle"]
        dashes = 'stroke-dasharray="7 4"' if number % 2 else ""
        for peak in m["peaks"]:
            ridge = peak / bandwidth
            # The slope leaves the picture at its left or at its foot.
            start = max(xs[0], ys[0] / bandwidth)
            made.append(f'<polyline points="{at_x(start):.1f},{at_y(start * bandwidth):.1f} {at_x(ridge):.1f},{at_y(peak):.1f} {right},{at_y(peak):.1f}" '
                        f'fill="none" stroke="{colour}" stroke-width="2" {dashes}/>')
            made.append(text(right - 6, at_y(peak) - 6, f"{peak:g} in a cycle", 12, "end", colour))
        total = sum(layer["cycles"] for layer in m["layers"])
        for layer in sorted(m["layers"], key=lambda one: -one["cycles"]):
            r = 3 + 15 * math.sqrt(layer["cycles"] / total)
            name = f'{layer["name"]}: {layer["operations"]} operations, {layer["bytes"]} bytes, {layer["cycles"]} cycles'
            made.append(f"<g><title>{html.escape(name)}</title>" +
                        mark(number % 2, at_x(layer["operations"] / layer["bytes"]), at_y(layer["operations"] / layer["cycles"]), r, colour) + "</g>")
        made.append(mark(number % 2, right + 26, legend, 6, colour) + text(right + 40, legend + 5, m["name"], 14, "start", colour))
        for line in (f"{len(m['layers'])} layers, {total / 1e3:.0f} kilocycles", f"memory roof {bandwidth:g} bytes a cycle",
                     f"{100 * sum(one['operations'] for one in m['layers']) / total / max(m['peaks']):.0f} % of the peak is used"):
            legend += 19
            made.append(text(right + 40, legend + 4, line, 12))
        legend += 34
    made.append(text(right + 20, legend + 4, "A mark grows with its share", 12) + text(right + 20, legend + 20, "of its machine's cycles.", 12))
    return "\n".join(made) + "\n</svg>\n"
