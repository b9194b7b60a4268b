"""JSON of the responses: structs are encoded here and nowhere else."""

from __future__ import annotations

from typing import Any

import msgspec
from flask.json.provider import DefaultJSONProvider


class StructProvider(DefaultJSONProvider):
    """Lets Flask's `jsonify` and the templates' `tojson` encode msgspec structs."""

    def dumps(self, obj: Any, **kwargs: Any) -> str:
        """The object as JSON; Flask's formatting options have no effect."""
        return msgspec.json.encode(obj).decode()
