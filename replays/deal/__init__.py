"""The pages of a deal, including its replay. The same prepared steps serve the page and its script."""
