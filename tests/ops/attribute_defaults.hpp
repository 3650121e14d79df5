// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_OPS_ATTRIBUTE_DEFAULTS_HPP
#define INLAY_TESTS_OPS_ATTRIBUTE_DEFAULTS_HPP

#include <concepts>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/graph/attribute_list.hpp>
#include <inlay/ops/interpret/evaluate_call.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>

namespace inlay_test {

/// A default as a node would have it. Of lists the default depends on the rank, so that it is stated by the test.
template <class T>
inline constexpr bool is_plain_attribute =
    std::same_as<T, std::int64_t> || std::same_as<T, bool> || std::same_as<T, double> || std::same_as<T, std::string_view>;

inline bool same_tensors(const std::vector<inlay::tensor>& a, const std::vector<inlay::tensor>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i].type() != b[i].type() || (a[i].bytes() != 0 && std::memcmp(a[i].data(), b[i].data(), a[i].bytes()) != 0)) return false;
    return true;
}

/// Each attribute that is not given, set to the struct's default, changes nothing in what the operator means; and the operator is one of
/// the struct's. `lists` are the defaults of lists at this rank, which are tried in the same way.
template <class C>
void check_defaults(std::string_view op, const std::vector<inlay::tensor>& operands, const inlay::attribute_map& given = {},
                    const inlay::attribute_map& lists = {}, std::size_t outputs = 1) {
    using namespace inlay;
    CAPTURE(std::string(op));
    bool named = false;
    for (const std::string_view one : C::operators) named = named || one == op;
    CHECK(named);
    const op_definition* definition = onnx_ops::find(op);
    REQUIRE(definition != nullptr);
    const auto plain = evaluate_call(*definition, given, operands, outputs);
    REQUIRE_MESSAGE(plain.has_value(), plain.failure().message);
    C::attributes::for_each([&](auto one) {
        if (given.find(one.name) != nullptr) return;
        CAPTURE(std::string(one.name));
        attribute_map more = given;
        const auto otherwise = C{}.*one.member;
        using T = std::remove_cv_t<decltype(otherwise)>;
        if constexpr (std::same_as<T, bool>)
            more.set(one.name, std::int64_t{otherwise});
        else if constexpr (std::same_as<T, std::string_view>)
            more.set(one.name, std::string(otherwise));
        else if constexpr (is_plain_attribute<T>)
            more.set(one.name, otherwise);
        else if (const attribute_value* list = lists.find(one.name); list != nullptr)
            more.set(one.name, *list);
        else
            return;
        const auto stated = evaluate_call(*definition, more, operands, outputs);
        REQUIRE_MESSAGE(stated.has_value(), stated.failure().message);
        CHECK(same_tensors(*plain, *stated));
    });
}

/// So many numbers, from below zero to above one.
inline inlay::tensor numbers(std::vector<std::int64_t> extents) {
    inlay::tensor t(inlay::element_type::float32, std::move(extents));
    for (std::size_t i = 0; i < t.count(); ++i) t.as<float>()[i] = static_cast<float>((i * 7) % 13) * 0.21f - 1.1f;
    return t;
}
inline inlay::attribute_map with(std::string_view name, const inlay::attribute_value& value) {
    inlay::attribute_map m;
    m.set(name, value);
    return m;
}

}  // namespace inlay_test

#endif
