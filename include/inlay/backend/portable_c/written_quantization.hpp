// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PORTABLE_C_WRITTEN_QUANTIZATION_HPP
#define INLAY_BACKEND_PORTABLE_C_WRITTEN_QUANTIZATION_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <inlay/backend/portable_c/written_call.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/ops/loops/strides.hpp>

namespace inlay::portable {

/// Numbers as steps of a scale that their own range gives, which zero belongs to: two passes over them. NaN is not of the range, and
/// becomes step 0.
[[nodiscard]] inline outcome<written_body> write_dynamic_quantize_linear(const written_call& c) {
    const auto x = c.extents(0);
    const std::int64_t count = extent_product(x, 0, x.size());
    const auto is_read = [&](std::size_t i) { return i < c.results.size() && !c.results[i].empty(); };
    c_lines body;
    body.line("float low = 0, high = 0;");
    body.loop("i", count);
    body.line("const float v = " + c.operands[0] + "[i];").line("if (v < low) low = v;").line("if (v > high) high = v;").close();
    body.line("const float scale = high == low ? 1.0f : (high - low) / 255.0f;");
    body.line("const uint8_t zero = inlay_step((0.0f - low) / scale, 0);");
    if (is_read(0)) body.loop("i", count).line(c.results[0] + "[i] = inlay_step(" + c.operands[0] + "[i] / scale, zero);").close();
    if (is_read(1)) body.line(c.results[1] + "[0] = scale;");
    if (is_read(2)) body.line(c.results[2] + "[0] = zero;");
    return written_body{std::move(body).take(),
                        {"static inline uint8_t inlay_step(float steps, uint8_t zero) {\n"
                         "    const float moved = nearbyintf(steps) + (float)zero;\n"
                         "    return !(moved > 0.0f) ? 0 : moved >= 255.0f ? 255 : (uint8_t)moved;\n}\n\n"}};
}

inline constexpr written_entry written_quantization[] = {{"onnx.DynamicQuantizeLinear", &write_dynamic_quantize_linear}};

}  // namespace inlay::portable

#endif
