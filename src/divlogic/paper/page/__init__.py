"""The report as one HTML page, from jinja2 templates: ``page.html.j2`` includes one per section."""
