// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_OPS_SAMPLE_CALL_HPP
#define INLAY_TESTS_OPS_SAMPLE_CALL_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/ops/interpret/evaluate_call.hpp>

namespace inlay_test {

using ints = std::vector<std::int64_t>;
using floats = std::vector<float>;
using strings = std::vector<std::string>;

/// The definition of that name in a family's table; a definition of nothing where there is none.
template <class Family>
const inlay::op_definition& definition(std::string_view name) {
    static constexpr inlay::op_definition none{"none"};
    for (const inlay::op_definition& d : Family::table)
        if (d.name == name) return d;
    return none;
}

/// An operand of a type rule: a type alone, a known value, or left out.
struct sample_operand {
    inlay::node_type type = inlay::node_type::tuple({});
    inlay::tensor value;

    sample_operand() = default;
    sample_operand(inlay::tensor_type t) : type(std::move(t)) {}
    sample_operand(inlay::tensor v) : type(v.type()), value(std::move(v)) {}
};

inline inlay::extent symbol(const char* name) { return inlay::extent(std::string(name)); }

inline inlay::tensor_type f32(inlay::shape s) { return {inlay::element_type::float32, std::move(s)}; }
inline inlay::tensor_type i64(inlay::shape s) { return {inlay::element_type::int64, std::move(s)}; }

/// A vector of any scalar.
template <class T>
inlay::tensor list_of(const std::vector<T>& values) {
    return inlay::tensor::of({static_cast<std::int64_t>(values.size())}, values);
}
inline inlay::tensor list(const ints& values) { return inlay::tensor::of({static_cast<std::int64_t>(values.size())}, values); }

/// What the type rule says, as text; the error's sentence after "error: " where it refuses.
template <class Family>
std::string inferred(std::string_view name, const std::vector<sample_operand>& operands, const inlay::attribute_map& attributes = {},
                     std::size_t outputs = 1) {
    std::vector<const inlay::node_type*> types;
    std::vector<const inlay::tensor*> constants;
    for (const sample_operand& o : operands) {
        types.push_back(&o.type);
        constants.push_back(o.value.ok() ? &o.value : nullptr);
    }
    const inlay::op_definition& d = definition<Family>(name);
    if (d.infer == nullptr) return "no such operator";
    const auto type = d.infer({d.name, &attributes, types, constants, outputs});
    return type ? to_string(*type) : "error: " + type.failure().message;
}

/// Whether the type rule refuses, with a sentence that has these words in it.
template <class Family>
bool refused(std::string_view name, const std::vector<sample_operand>& operands, const inlay::attribute_map& attributes,
             std::string_view words, std::size_t outputs = 1) {
    const std::string said = inferred<Family>(name, operands, attributes, outputs);
    return said.starts_with("error: ") && said.find(words) != std::string::npos;
}

/// The results of a call; none, and the reason in `why`, where it fails.
template <class Family>
std::vector<inlay::tensor> results(std::string_view name, const std::vector<inlay::tensor>& operands,
                                   const inlay::attribute_map& attributes = {}, std::size_t outputs = 1, std::string* why = nullptr) {
    auto r = inlay::evaluate_call(definition<Family>(name), attributes, operands, outputs);
    if (!r && why != nullptr) *why = r.failure().message;
    return r ? *r : std::vector<inlay::tensor>();
}

/// The first result; a tensor that is not `ok()` where the call fails.
template <class Family>
inlay::tensor result(std::string_view name, const std::vector<inlay::tensor>& operands, const inlay::attribute_map& attributes = {}) {
    auto all = results<Family>(name, operands, attributes);
    return all.empty() ? inlay::tensor() : all[0];
}

/// The elements as a list, for comparison with an expected one.
template <class T>
std::vector<T> elements_of(const inlay::tensor& t) {
    if (t.element() != inlay::element_type_of<T>) return {};
    return {t.as<T>().begin(), t.as<T>().end()};
}

/// 0, 1, 2, ...
inline inlay::tensor counting(ints extents, float first = 0) {
    inlay::tensor t(inlay::element_type::float32, std::move(extents));
    for (float& v : t.as<float>()) v = first++;
    return t;
}

/// Small numbers, the same for the same seed: eighths from -1 to 1, so that float sums of a few are exact.
template <class T = float>
inlay::tensor noise(ints extents, std::uint64_t seed) {
    inlay::tensor t(inlay::element_type_of<T>, std::move(extents));
    std::uint64_t state = seed * 2862933555777941757u + 3037000493u;
    for (T& v : t.as<T>()) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        v = static_cast<T>(static_cast<T>(static_cast<int>(state >> 40 & 15) - 8) / T(8));
    }
    return t;
}

}  // namespace inlay_test

#endif
