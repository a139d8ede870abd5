"""The pages, asked as a browser would ask, without one."""
