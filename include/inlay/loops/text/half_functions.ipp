// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_TEXT_HALF_FUNCTIONS_IPP
#define INLAY_LOOPS_TEXT_HALF_FUNCTIONS_IPP

#include <cstdint>
#include <string>

#include <inlay/loops/text/half_functions.hpp>

#include <inlay/graph/element_type.hpp>

namespace inlay::detail {

half_function half_widening(element_type from) {
    const std::string name = "inlay_float32_of_" + std::string(name_of(from));
    // Steps of numbers too small for a normal exponent are 2^-24; the exponents of others stand 112 further, and that of what is not finite
    // another 112.
    const std::string body = from == element_type::bfloat16
                                 ? "    v.bits = (uint32_t)a << 16;\n"
                                 : "    const uint32_t size = a & 0x7fff;\n"
                                   "    if (size < 0x400)\n        v.number = (float)size * 0x1p-24f;\n"
                                   "    else\n        v.bits = (size << 13) + (UINT32_C(112) << 23) * (size < 0x7c00 ? 1 : 2);\n"
                                   "    v.bits |= (uint32_t)(a & 0x8000) << 16;\n";
    return {name, "float " + name + "(uint16_t a) {\n    union {\n        float number;\n        uint32_t bits;\n    } v;\n" + body +
                      "    return v.number;\n}\n"};
}

half_function half_narrowing(element_type from, element_type to) {
    struct layout {
        int exponent, fraction;  // bits
        [[nodiscard]] int bias() const { return (1 << (exponent - 1)) - 1; }
    };
    const layout wide = from == element_type::float32 ? layout{8, 23} : layout{11, 52};
    const layout narrow = to == element_type::float16 ? layout{5, 10} : layout{8, 7};
    const std::string bits = wide.fraction == 23 ? "32" : "64";
    const int shift = wide.fraction - narrow.fraction;
    // A wide number of that exponent, as bits.
    const auto power = [&](int exponent) {
        return "(UINT" + bits + "_C(" + std::to_string(wide.bias() + exponent) + ") << " + std::to_string(wide.fraction) + ")";
    };
    const std::string infinity = std::to_string(((1 << narrow.exponent) - 1) << narrow.fraction);
    const std::string quiet = std::to_string(1 << (narrow.fraction - 1));
    // Of numbers too small for a normal exponent, adding what has their steps as its last bit rounds.
    const int steps = 1 - narrow.bias() - narrow.fraction + wide.fraction;
    const std::string name = "inlay_" + std::string(name_of(to)) + "_of_" + std::string(name_of(from)),
                      type(from == element_type::float32 ? "float" : "double");
    std::string body = "    union {\n        " + type + " number;\n        uint" + bits + "_t bits;\n    } v;\n    v.number = a;\n";
    body += "    const unsigned sign = (unsigned)(v.bits >> " + std::to_string(wide.exponent + wide.fraction) + ") << 15;\n";
    body += "    v.bits &= INT" + bits + "_MAX;\n";
    body += "    if (v.bits > " + power(wide.bias() + 1) + ") return (uint16_t)(sign | " + infinity + " | " + quiet + ");\n";
    body += "    if (v.bits >= " + power(narrow.bias() + 1) + ") return (uint16_t)(sign | " + infinity + ");\n";
    if (wide.bias() != narrow.bias()) {
        body += "    if (v.bits < " + power(1 - narrow.bias()) + ") {\n        v.number += 0x1p" + std::to_string(steps) +
                (wide.fraction == 23 ? "f" : "") + ";\n        return (uint16_t)(sign | (unsigned)(v.bits - " + power(steps) +
                "));\n    }\n";
        body += "    v.bits -= UINT" + bits + "_C(" + std::to_string(wide.bias() - narrow.bias()) + ") << " +
                std::to_string(wide.fraction) + ";\n";
    }
    body += "    v.bits += UINT" + bits + "_C(" + std::to_string((std::int64_t{1} << (shift - 1)) - 1) + ") + (v.bits >> " +
            std::to_string(shift) + " & 1);\n";
    body += "    return (uint16_t)(sign | (unsigned)(v.bits >> " + std::to_string(shift) + "));\n";
    return {name, "uint16_t " + name + "(" + type + " a) {\n" + body + "}\n"};
}

}  // namespace inlay::detail

#endif
