"""Boards as drawings, made of nothing but text: SVG that stands alone, or inside a page."""
