"""The version of the project, for programs and pages that show it."""

VERSION = "0.2.0"
