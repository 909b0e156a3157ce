"""Static files, bundles of scripts and style sheets, HTML templates, QR codes."""
