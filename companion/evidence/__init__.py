"""The last seconds of sound and pictures, held in memory and written only on request."""
