"""What two published card recognisers reached on the same photographs.

Measured elsewhere, in November 2026, by running them on the photographs of vision/poker24 (and on further
sets that are kept apart) with references cut from the same pictures as ours; they are not run here, because
both need old versions of OpenCV, patched. Both are open source: Magic Card Detector by tmikonen and
OpenCV-Playing-Card-Detector by EdjeElectronics.
"""

TABLE = """\
Measured elsewhere on the same photographs:

| program | set | precision | recall | seconds a photo |
|---|---|---|---|---|
| Magic Card Detector, our references | poker24 | .889 | .457 | 1.1 |
| Magic Card Detector, our references | 28 of overlapping cards, glare | .125 | .017 | 5.2, one crash |
| the same, its own 290 hashes | its own 8 photographs | 1.0 | .983 (59 of 60) | 2.0 |
| OpenCV Playing Card Detector, its own templates | poker24 | 1.0 | .533 | .006 |
| the same, templates of our references (9 of 24 usable) | poker24 | .93 | .629 | .006 |"""
"""Both need cards that lie apart on a contrasting ground; the second one a ground darker than the card."""
