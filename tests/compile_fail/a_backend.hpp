// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_COMPILE_FAIL_A_BACKEND_HPP
#define INLAY_TESTS_COMPILE_FAIL_A_BACKEND_HPP

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

/// A whole back end, less what the including file takes out by a macro.
struct a_backend {
#ifndef LACKS_KIND
    static constexpr std::string_view kind = "a";
#endif
#ifndef LACKS_DEVICE
    static constexpr inlay::device_type device = inlay::device_type::cpu;
#endif
#ifndef LACKS_REFINES
    static constexpr std::string_view refines = "llvm";
#endif
#ifndef LACKS_OPTIONS
    using options = inlay::option_list<>;
#endif
#ifdef LACKS_DEFAULT
    explicit a_backend(int) {}
#endif
#ifndef LACKS_VERSION
    static std::string version() { return "1"; }
#endif
#ifndef LACKS_USABLE
    [[nodiscard]] inlay::outcome<void> usable() const { return {}; }
#endif
#ifdef HAS_NO_PATTERN
    static constexpr auto patterns() { return inlay::pattern_table<>{}; }
#elif defined(HAS_ONE_NAME_TWICE)
    static constexpr auto patterns() {
        return inlay::pattern_table{inlay::composite<"relu">(inlay::dsl::op<"onnx.Relu">),
                                    inlay::composite<"relu">(inlay::dsl::op<"onnx.Elu">)};
    }
#elif !defined(LACKS_PATTERNS)
    static constexpr auto patterns() { return inlay::pattern_table{inlay::composite<"relu">(inlay::dsl::op<"onnx.Relu">)}; }
#endif
#ifndef LACKS_FORMATS
    [[nodiscard]] std::vector<inlay::border_formats> formats(const inlay::region_view&) const { return {}; }
#endif
#ifndef LACKS_PRICE
    [[nodiscard]] std::optional<double> price(const inlay::region_view&) const { return std::nullopt; }
#endif
#ifndef LACKS_EMIT
    [[nodiscard]] inlay::outcome<inlay::kernel> emit(const inlay::region_view&) const { return inlay::error{"it emits nothing"}; }
#endif
};

#endif
