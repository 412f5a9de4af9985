"""Pages of reports: one base, one stylesheet and one script for all, and a template for each kind of report."""
