"""QR codes as pictures."""

import io

import segno


def as_svg(text: str) -> bytes:
    """A picture file, black on white whatever the page's colours: phones must be able to read it."""
    out = io.BytesIO()
    segno.make(text, micro=False, error="m").save(
        out, kind="svg", scale=8, border=3, dark="#000", light="#fff", xmldecl=False, svgclass=None, lineclass=None
    )
    return out.getvalue()


def as_data(text: str) -> str:
    """The same as an address for `<img src>`, for links that must not be in any address."""
    return segno.make(text, micro=False, error="m").svg_data_uri(scale=8, border=3, dark="#000", light="#fff")
