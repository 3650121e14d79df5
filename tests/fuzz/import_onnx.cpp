// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/onnx/onnx.hpp>
#include <inlay/io/onnx/onnx_export.hpp>
#include <inlay/ir/relay_text.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/passes/infer_types.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

// Any bytes are read as a program or refused with a sentence; so is the inference of types; and what was written is read back.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    google::protobuf::SetLogHandler(nullptr);
    inlay::import_options options;
    options.operators = &inlay::onnx_ops::find;
    const auto read = inlay::import_onnx(std::as_bytes(std::span(data, size)), options);
    if (!read) {
        if (read.failure().message.empty()) __builtin_trap();
        return 0;
    }
    if (inlay::relay_text(*read).empty()) __builtin_trap();
    const auto typed = inlay::infer_types(*read);
    if (!typed) {
        if (typed.failure().message.empty()) __builtin_trap();
        return 0;
    }
    const auto written = inlay::export_onnx(*typed);
    if (!written) {
        if (written.failure().message.empty()) __builtin_trap();
        return 0;
    }
    const auto again = inlay::import_onnx(std::as_bytes(std::span(*written)), options);
    if (!again) {
        __builtin_printf("what was written is not read back: %s\n", again.failure().message.c_str());
        __builtin_trap();
    }
    return 0;
}
