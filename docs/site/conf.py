"""The documentation site, built by scripts/docs."""

import re

import moco

project = "moco"
author = "the moco authors"
version = release = moco.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = f"moco {moco.__version__}"
html_copy_source = False
html_static_path = ["static"]
html_css_files = ["site.css"]
exclude_patterns = ["site", "results/*"]
myst_heading_anchors = 4
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
add_module_names = False

# Links to files of the repository that are no pages: the site shows their names.
OUTSIDE = re.compile(r"\[([^\]]+)\]\((\.\./(?:\.\./)?(?!images|[a-z-]+\.md|tutorials)[^)]+)\)")


def name_files_outside(app, page, source):
    above = page.count("/") + 1
    source[0] = OUTSIDE.sub(lambda link: link[1] if link[2].count("../") >= above else link[0], source[0])


def setup(app):
    app.connect("source-read", name_files_outside)
