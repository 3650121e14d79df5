// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_EINSUM_HPP
#define INLAY_OPS_ONNX_EINSUM_HPP

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/quoted_text.hpp>
#include <inlay/ops/agreed_element.hpp>
#include <inlay/ops/attributes/scalar_attributes.hpp>
#include <inlay/ops/loops/evaluate_by_filling.hpp>
#include <inlay/ops/loops/extent_arithmetic.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/ops/loops/weighted_rows.hpp>
#include <inlay/ops/onnx/broadcasting.hpp>
#include <inlay/ops/onnx/elementwise_definition.hpp>
#include <inlay/ops/op_definition.hpp>

namespace inlay {
namespace detail {

using einsum_scalars = scalar_list<float, double, std::int32_t, std::int64_t, std::uint32_t, std::uint64_t>;

/// An Einsum equation over operands of known ranks, one label per axis: letters stand for themselves, the axes that an ellipsis stands
/// for are numbered from the last one, '0', '1', ..., so that they meet aligned at the end.
struct einsum_equation {
    std::vector<std::string> operands;
    std::string result;
    std::map<char, extent> extents;  // of each label
};

/// One term of the equation with its ellipsis spelt out as `dots` labels; empty text in `wrong` where it is well formed.
inline std::string einsum_labels(std::string_view term, std::size_t dots, std::string& wrong) {
    std::string labels;
    bool seen = false;
    for (std::size_t i = 0; i < term.size(); ++i) {
        if (std::isalpha(static_cast<unsigned char>(term[i])) != 0) {
            labels += term[i];
        } else if (term.substr(i, 3) == "..." && !seen) {
            for (std::size_t d = dots; d-- > 0;) labels += static_cast<char>('0' + d);
            seen = true;
            i += 2;
        } else {
            wrong = "has " + quoted_text(term.substr(i)) + ", where a letter or one '...' is expected";
            return {};
        }
    }
    return labels;
}

inline outcome<einsum_equation> einsum_equation_of(const call_view& call) {
    std::string text;
    for (const char c : read<einsum_attributes>(call).equation)
        if (c != ' ') text += c;
    const auto wrong_equation = [&](const std::string& why) { return error{"Einsum's equation " + quoted_text(text) + " " + why}; };
    const std::size_t arrow = text.find("->");
    const std::string_view left = std::string_view(text).substr(0, arrow);
    einsum_equation e;
    std::size_t most_dots = 0, begin = 0;
    std::string wrong;
    while (true) {
        const std::size_t end = std::min(left.find(',', begin), left.size());
        const std::string_view term = left.substr(begin, end - begin);
        const std::size_t i = e.operands.size();
        if (i >= call.arity() || !call.has(i))
            return wrong_equation("has more terms than the call has operands, which are " + std::to_string(call.arity()));
        const auto letters = static_cast<std::size_t>(std::count_if(term.begin(), term.end(), [](char c) { return c != '.'; }));
        const std::size_t rank = call.type(i).rank();
        const bool dotted = term.find("...") != std::string_view::npos;
        if (rank < letters || (rank > letters && !dotted))
            return wrong_equation("has " + std::to_string(letters) + " labels for operand " + std::to_string(i) + " of type " +
                                  to_string(call.type(i)));
        if (rank - letters > 10) return wrong_equation("has an ellipsis for more than ten axes");
        e.operands.push_back(einsum_labels(term, rank - letters, wrong));
        if (!wrong.empty()) return wrong_equation(wrong);
        most_dots = std::max(most_dots, rank - letters);
        if (end == left.size()) break;
        begin = end + 1;
    }
    if (e.operands.size() != call.arity())
        return wrong_equation("has " + std::to_string(e.operands.size()) + " terms for " + std::to_string(call.arity()) + " operands");
    std::map<char, int> uses;
    for (std::size_t i = 0; i < e.operands.size(); ++i)
        for (std::size_t axis = 0; axis < e.operands[i].size(); ++axis) {
            const char label = e.operands[i][axis];
            ++uses[label];
            const auto [at, fresh] = e.extents.try_emplace(label, call.type(i).extents[axis]);
            if (fresh) continue;
            const auto met = stretched_extent(at->second, call.type(i).extents[axis]);
            if (!met)
                return wrong_equation("gives one label to extents " +
                                      to_string(tensor_type(element_type::none, {at->second, call.type(i).extents[axis]})));
            at->second = *met;
        }
    if (arrow != std::string::npos) {
        e.result = einsum_labels(std::string_view(text).substr(arrow + 2), most_dots, wrong);
        if (!wrong.empty()) return wrong_equation(wrong);
    } else {
        for (std::size_t d = most_dots; d-- > 0;) e.result += static_cast<char>('0' + d);
        for (const auto& [label, count] : uses)
            if (count == 1 && std::isalpha(static_cast<unsigned char>(label)) != 0) e.result += label;
    }
    for (std::size_t i = 0; i < e.result.size(); ++i) {
        if (!uses.contains(e.result[i])) return wrong_equation("has a result label that no operand has");
        if (e.result.find(e.result[i]) != i) return wrong_equation("has a result label twice");
    }
    return e;
}

inline outcome<node_type> infer_einsum(const call_view& call) {
    if (auto wrong = wrong_arity(call, 1, 64)) return std::move(*wrong);
    element_type element = element_type::none;
    for (std::size_t i = 0; i < call.arity(); ++i) {
        if (!call.has(i)) return error{"Einsum needs operand " + std::to_string(i) + ", which is left out"};
        const auto met = agreed_element(call, {0, i}, elements(einsum_scalars()));
        if (!met) return met.failure();
        if (element == element_type::none) element = *met;
    }
    for (std::size_t i = 0; i < call.arity(); ++i)
        if (!call.type(i).ranked) return node_type(tensor_type(element));
    const auto e = einsum_equation_of(call);
    if (!e) return e.failure();
    shape result;
    for (const char label : e->result) result.push_back(e->extents.at(label));
    return countable_type(call, tensor_type(element, std::move(result)));
}

inline outcome<void> fill_einsum(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const auto e = einsum_equation_of(call);
    if (!e) return e.failure();
    // All labels, those of the result first: one loop over each.
    std::string labels = e->result;
    for (const auto& [label, size] : e->extents)
        if (labels.find(label) == std::string::npos) labels += label;
    std::vector<std::int64_t> sizes;
    for (const char label : labels) sizes.push_back(e->extents.at(label).size);
    std::vector<std::vector<std::int64_t>> steps(operands.size(), std::vector<std::int64_t>(labels.size(), 0));
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const auto strides = row_major_strides(operands[i].extents());
        for (std::size_t axis = 0; axis < e->operands[i].size(); ++axis)
            if (operands[i].extents()[axis] != 1) steps[i][labels.find(e->operands[i][axis])] += strides[axis];
    }
    const std::int64_t inner = extent_product(sizes, e->result.size(), sizes.size());
    visit_element_type(einsum_scalars(), results[0].element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        using A = sum_scalar<T>;
        std::vector<std::int64_t> index(labels.size(), 0);
        std::vector<const T*> at;
        for (const tensor& t : operands) at.push_back(t.as<T>().data());
        for (T& out : results[0].as<T>()) {
            A sum(0);
            for (std::int64_t k = 0; k < inner; ++k) {
                A product(1);
                for (const T* p : at) product *= static_cast<A>(*p);
                sum += product;
                // The innermost label that goes on; those inside it begin again. After the last sum this moves on to the next element.
                for (std::size_t l = labels.size(); l-- > 0;) {
                    for (std::size_t i = 0; i < at.size(); ++i) at[i] += steps[i][l];
                    if (++index[l] < sizes[l]) break;
                    for (std::size_t i = 0; i < at.size(); ++i) at[i] -= steps[i][l] * sizes[l];
                    index[l] = 0;
                }
            }
            out = static_cast<T>(sum);
        }
    });
    return {};
}

inline op_work work_einsum(const call_view& call, const node_type& result) {
    const auto e = einsum_equation_of(call);
    double terms = 1;
    if (e)
        for (const auto& [label, size] : e->extents) terms *= static_cast<double>(size.size);
    return {terms * static_cast<double>(std::max<std::size_t>(call.arity(), 2)), bytes_moved(call, result)};
}

}  // namespace detail

/// Einsum, as ONNX defines it: letters, one ellipsis per term, the result's labels stated or those used once in alphabetic order.
template <class = void>
struct onnx_einsum {
    static constexpr auto table = with_attributes<einsum_attributes>({
        {"onnx.Einsum", op_kind::anchor, detail::infer_einsum, filled<detail::infer_einsum, detail::fill_einsum>, detail::work_einsum},
    });
};

}  // namespace inlay

#endif
