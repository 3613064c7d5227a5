"""Answers that others recorded, read as predictions, and recorded answers of models to this workflow's questions.

A recording is evidence. A row whose answer names none of the options is an answer all the same; a row that cannot be
read is counted, logged and named in the note of the table; a file with too many of them is an error of that recording
alone, and the others are read.
"""
