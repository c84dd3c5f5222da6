//! What the file of ONNX Runtime is called.

/// The file name of ONNX Runtime's shared library on this platform.
pub const fn runtime_library_name() -> &'static str {
    if cfg!(target_os = "windows") {
        "onnxruntime.dll"
    } else if cfg!(any(target_os = "macos", target_os = "ios")) {
        "libonnxruntime.dylib"
    } else {
        "libonnxruntime.so"
    }
}
