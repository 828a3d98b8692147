"""MediaPipe's palm detector, converted to ONNX by this package."""
