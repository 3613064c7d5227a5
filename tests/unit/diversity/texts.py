"""Texts worded for these tests."""

from __future__ import annotations

PROSE = (
    "The old harbour lies behind a wall of grey stone. Small boats rest there in winter, and gulls walk on the ropes. "
    "In spring the fishermen paint their hulls; some choose green, others a bright yellow. A keeper watches the light. "
    "He writes the weather in a thick book every morning. Nobody reads the book, but the keeper does not mind. "
    "When fog comes in, a horn sounds twice a minute. Children count the blasts and wait for the third one, "
    "which never comes. Tourists ask about the horn and leave before noon. The baker opens at five and closes at two. "
    "Her bread is dark and heavy, and it keeps for a week. She sells it to the crews by the dozen. "
    "On Sundays the church bell answers the horn. That is the only concert in town."
)

AWKWARD = [
    'He said: "Don\'t go!" (She went.) It cost $3.50, i.e. too much... really; well-known -- mostly.',
    "I can't, won't and cannot; they're gonna wanna leave. 'Tis odd. The dogs' bowls, the boys'.",
    "Dr. Brown of the U.S. Navy called 555 123 4567 at 5 p.m. Nobody answered. . . at all.",
    "Prices rose by 3,5 % (from 10:30 to 11:45); see http://example.org/a(b) or mail a.b@c.de.",
    "A: yes? B: no!! C: :-) D: #tag @name <b>bold</b> &amp; more …",
    "Line one\nline two\tand tab  two blanks “quoted” ‘single’ l'été naïve.",
    "Ends in a quote.'\"",
    "",
    "   ",
    "word",
    "He is 1 800 555 1234. (555) 123-4567 next. 12. 34",
    "do: it; P: q x=d; 3-D said: \"Go.\" [x]. {y}? 'a' 'b c' d'.",
]
