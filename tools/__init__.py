"""Development tools that generate files of the repository, and that start, measure and break a site. No site
needs these tools."""
