"""Pictures of a position for other sites: drawn as SVG, made PNG; the fonts and the card faces for it."""
