"""The pages of a deal, including its replay, whose steps are prepared for both the page and its script."""
