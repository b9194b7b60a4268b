"""The types of the HTTP interface: what phones send and what they get, as frozen structs.

The table and the host fill them, the pages encode them. Their JSON is described in docs/api.md and, for
programs, in `/api/openapi.json`; both are made from these types. Text is empty until the pages have filled it
in the reader's language from the code and parameters beside it (companion.announce.render).
"""
