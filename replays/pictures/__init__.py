"""Pictures for other sites, drawn as SVG and rendered to PNG, and the fonts that they use."""
