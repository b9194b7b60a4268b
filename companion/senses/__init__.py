"""Eyes and ears: what camera and microphone give, through vision and speech, into the table's inbox.

Eyes and ears have a thread and a queue each. When the queue of the eyes is full, the oldest picture is
dropped; sound is never dropped. Neither knows a game: `attention` gives them what to follow and to expect.
"""
