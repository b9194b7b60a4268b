"""What is known of the camera: lens, mat markers, picture quality."""
