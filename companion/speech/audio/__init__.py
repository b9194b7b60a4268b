"""Sound as samples: files, levels, onsets, clipping, the time of blocks."""
