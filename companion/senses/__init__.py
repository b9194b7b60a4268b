"""Eyes and ears: pass pictures and sound through vision and speech, and observations to the table's inbox.

Eyes and ears have a thread and a queue each. When the queue of the eyes is full, the oldest picture is
dropped; sound is never dropped. Neither depends on a game: `attention` gives them watchers and expectations.
"""
