// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_C_C_CONVERSION_IPP
#define INLAY_CODEGEN_C_C_CONVERSION_IPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/codegen/c/c_conversion.hpp>

#include <inlay/codegen/c/c_array.hpp>
#include <inlay/codegen/c/c_part.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/loops/text/c_text.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

namespace detail {

/// Where channel `c` of place `p` of image `n` stands in a layout, as C.
[[nodiscard]] inline std::string c_place_in(const layout& l, std::int64_t channels, std::int64_t places) {
    const std::string c = std::to_string(channels), p = std::to_string(places);
    if (l.kind == layout::form::plain) return "(n * " + c + " + c) * " + p + " + p";
    if (l.kind == layout::form::channels_last) return "(n * " + p + " + p) * " + c + " + c";
    const std::string b = std::to_string(l.block), stored = std::to_string(l.stored_channels(static_cast<std::size_t>(channels)));
    return "(n * " + stored + " + c / " + b + " * " + b + ") * " + p + " + p * " + b + " + c % " + b;
}

}  // namespace detail

outcome<c_part> c_conversion(const std::vector<std::int64_t>& extents, const format& from, const format& to, const std::string& name) {
    const std::string type(stored_c_type(from.element));
    if (from.element != to.element || from.scope != to.scope || type.empty())
        return error{"there is no C that makes " + to_string(to) + " of " + to_string(from) +
                     "; formats of one element type in one memory differ in their layout alone"};
    const std::int64_t images = extents.empty() ? 1 : extents[0], channels = extents.size() < 2 ? 1 : extents[1];
    std::int64_t places = 1;
    for (std::size_t i = 2; i < extents.size(); ++i) places *= extents[i];
    const layout of = extents.size() < 2 ? layout::plain() : from.order, as = extents.size() < 2 ? layout::plain() : to.order;
    const auto stored = static_cast<std::int64_t>(as.stored_channels(static_cast<std::size_t>(channels)));
    const auto loop = [](const char* v, std::int64_t count) {
        return "for (int64_t " + std::string(v) + " = 0; " + v + " < " + std::to_string(count) + "; ++" + v + ")\n";
    };
    c_part made;
    made.name = name;
    made.text = "static void " + name + "(const " + type + "* restrict x, " + type + "* restrict y) {\n    " + loop("n", images) +
                "        " + loop("c", stored) + "            " + loop("p", places) + "                y[" +
                detail::c_place_in(as, channels, places) +
                "] = " + (stored != channels ? "c >= " + std::to_string(channels) + " ? 0 : " : std::string()) + "x[" +
                detail::c_place_in(of, channels, places) + "];\n}\n";
    if (stored != channels) made.text = detail::without_masked_loads(made.text);
    return made;
}

}  // namespace inlay

#endif
