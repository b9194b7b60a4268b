"""The devices that the configuration names: inputs, outputs, the drawn camera, when they may idle."""
