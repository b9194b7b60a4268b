"""The service in the virtual machine of `make hil`."""
