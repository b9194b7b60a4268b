"""Whole evenings on disk: what camera, microphone, buttons and phones gave to the service, with its times."""
