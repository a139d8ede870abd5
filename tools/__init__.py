"""Development tools, which a site doesn't need. They generate files in the repository, and start, measure and
break sites."""
