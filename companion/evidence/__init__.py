"""The last seconds of sound and pictures, held in memory, written only if somebody asks why."""
