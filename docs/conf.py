"""How the documentation is made: `scripts/docs` runs Sphinx on the whole project, which takes only its pages.

The pages are those that people read in the project itself; nothing is copied. Only this file, `index.md` and
`reference.md` exist for the site alone.
"""

from turkengine import __version__

project = "turkengine"
author = "The turkengine authors"
copyright = author
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "docs/index"
include_patterns = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "docs/**.md",
    "protocol/*.md",
    "turkengine/*/README.md",
]
exclude_patterns = [".*", "build", "dist", "tests", "scripts"]  # not even looked into

myst_heading_anchors = 3
napoleon_use_ivar = True  # attributes are documented with their class, not once more
napoleon_use_rtype = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
autodoc_class_signature = "mixed"

html_theme = "furo"
html_title = f"turkengine {__version__}"
html_extra_path = ["start"]  # a page at the top that leads to the first one
html_copy_source = False
