"""The configured devices: inputs, outputs, the drawn camera, the listening lamp."""
