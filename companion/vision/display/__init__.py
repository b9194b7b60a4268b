"""Reads photographed displays: columns of cards that cover each other.

A network finds where cards are seen and where their visible parts end (`finder`). `columns` makes columns of
parts from its maps, `naming` names the parts with the looks of the deck, `read` decides what is certain and
what is asked. Call `read.read_display`."""
