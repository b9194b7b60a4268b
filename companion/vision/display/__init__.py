"""Reads photographed displays: columns of cards that cover each other.

A network finds where cards are seen and where their visible parts end (`finder`), in the picture as it looks
from straight above the table (`table_view`); `columns` makes columns of that. A second network looks at each
column turned upright (`column_network`), and `counting` chooses the likeliest columns with the likeliest
number of cards. `naming` names the parts with the looks of the deck, `read` decides what is certain and what
is asked. Call `read.read_display`."""
