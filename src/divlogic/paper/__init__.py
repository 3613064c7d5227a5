"""Paper: every table and figure of the papers, printed and measured, on one page, in one PDF and on a scoreboard."""
