"""Pictures of a position for other sites, drawn as SVG and rendered to PNG, with fonts and card faces."""
