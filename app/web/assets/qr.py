"""QR codes as SVG."""

import io

import segno


def qr_svg(text: str) -> bytes:
    """Return a QR code of the text as SVG: black on white in every colour scheme, so that phones can read it."""
    out = io.BytesIO()
    segno.make(text, micro=False, error="m").save(
        out, kind="svg", scale=8, border=3, dark="#000", light="#fff", xmldecl=False, svgclass=None, lineclass=None
    )
    return out.getvalue()


def qr_data_uri(text: str) -> str:
    """Return a QR code of the text as a data URI for `<img src>`, so that a secret link appears in no URL."""
    return segno.make(text, micro=False, error="m").svg_data_uri(scale=8, border=3, dark="#000", light="#fff")
