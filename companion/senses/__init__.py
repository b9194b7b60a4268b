"""Eyes and ears: what camera and microphone give, through vision and speech, into the table's inbox.

Each sense has one thread of its own behind a queue. Pictures that nobody had time for are dropped, oldest
first; sound is never dropped. Neither knows a game: they are told what to watch and which words to expect.
"""
