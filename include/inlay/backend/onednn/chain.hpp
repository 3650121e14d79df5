// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_CHAIN_HPP
#define INLAY_BACKEND_ONEDNN_CHAIN_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/onednn/activation.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// One thing done to each element of what stands before it in a chain.
struct onednn_step {
    enum class form : std::uint8_t { eltwise, binary, batch_norm };

    form kind = form::eltwise;
    onednn_eltwise eltwise;                                 // of eltwise
    dnnl::algorithm combine = dnnl::algorithm::binary_add;  // of binary: before (combine) other
    value_id other = 0;                                     // of binary
    value_id call = 0;                                      // the node: of batch_norm the one that holds the statistics
};

/// A region as one value and what is then done to it, in order.
struct onednn_chain {
    value_id anchor = 0;
    std::vector<onednn_step> steps;
};

/// What holds for every region that this back end takes: one result, float32 tensors of known, positive extents.
[[nodiscard]] inline outcome<void> onednn_check_region(const region_view& r) {
    if (r.calls().empty()) return error{"there is nothing to compute"};
    if (r.results.size() != 1) return error{std::to_string(r.results.size()) + " values leave the region; this back end makes one"};
    const auto one = [&](const region_value& v, const char* what) -> outcome<void> {
        if (!v.type->is_tensor() || !v.type->is_static())
            return error{std::string(what) + " of type " + to_string(*v.type) + " has no known shape"};
        if (v.type->of_tensor.element != element_type::float32)
            return error{std::string(what) + " of type " + to_string(*v.type) +
                         " is not of float32, the one element type that this back end takes"};
        const std::vector<std::int64_t> extents = static_shape(v.type->of_tensor);
        if (extents.size() > 6)
            return error{std::string(what) + " of rank " + std::to_string(extents.size()) + "; this back end takes up to 6"};
        const auto count = element_count(extents);
        if (!count || *count == 0) return error{std::string(what) + " of type " + to_string(*v.type) + " has no elements"};
        return {};
    };
    for (const region_value& v : r.inputs())
        if (auto fine = one(v, "an input"); !fine) return fine;
    return one(r[r.results[0]], "the result");
}

/// Reads a region as a chain that begins at the value for which `is_anchor(v)` holds, or at an input where no call is an anchor.
/// The chain ends at value `end`; `others` calls of the region do not belong to it and are the caller's to read. The error says what
/// does not fit.
template <class IsAnchor>
[[nodiscard]] outcome<onednn_chain> onednn_read_chain(const region_view& r, value_id end, IsAnchor&& is_anchor, std::size_t others = 0) {
    using algorithm = dnnl::algorithm;
    const onednn_activation_reader activations(onednn_region_nodes{r});
    const auto is_inside = [&](value_id v) { return r[v].kind == region_value::role::call; };
    const auto failed = [&](value_id v, std::string why) { return error{std::string(r[v].op) + " " + std::move(why)}; };
    onednn_chain chain;
    std::size_t read = 0;
    value_id v = end;
    while (is_inside(v) && !is_anchor(v)) {
        const region_value& c = r[v];
        if (!c.type->is_tensor()) return failed(v, "has several outputs; the chain takes operators with one");
        if (auto a = activations.read(v)) {
            for (std::size_t i = a->functions.size(); i-- > 0;) {
                onednn_step s;
                s.eltwise = a->functions[i];
                s.call = v;
                chain.steps.push_back(s);
            }
            read += a->calls.size();
            v = a->source;
            continue;
        }
        if (c.op == "onnx.BatchNormalization") {
            onednn_step s;
            s.kind = onednn_step::form::batch_norm;
            s.call = v;
            chain.steps.push_back(s);
            ++read;
            v = c.operands[0];
            continue;
        }
        struct spelling {
            std::string_view op;
            algorithm forward, backward;  // `backward` serves where the chain's value is the second operand
            bool any_order;
        };
        constexpr spelling known[] = {{"onnx.Add", algorithm::binary_add, algorithm::binary_add, true},
                                      {"onnx.Sum", algorithm::binary_add, algorithm::binary_add, true},
                                      {"onnx.Mul", algorithm::binary_mul, algorithm::binary_mul, true},
                                      {"onnx.Max", algorithm::binary_max, algorithm::binary_max, true},
                                      {"onnx.Min", algorithm::binary_min, algorithm::binary_min, true},
                                      {"onnx.Sub", algorithm::binary_sub, algorithm::binary_add, false},
                                      {"onnx.Div", algorithm::binary_div, algorithm::binary_mul, false}};
        const auto* k = std::find_if(std::begin(known), std::end(known), [&](const spelling& s) { return s.op == c.op; });
        if (k == std::end(known)) return failed(v, "is not an operator that can follow another inside one primitive");
        if (c.operands.size() < 2) return failed(v, "has one operand");
        std::optional<std::size_t> inside;
        for (std::size_t i = 0; i < c.operands.size(); ++i) {
            if (!is_inside(c.operands[i])) continue;
            if (inside) return failed(v, "joins two values that are both computed inside");
            inside = i;
        }
        // Where no operand is computed inside, the chain begins at the first that is an input.
        for (std::size_t i = 0; i < c.operands.size() && !inside; ++i)
            if (r[c.operands[i]].kind == region_value::role::input) inside = i;
        if (!inside) return failed(v, "has only constant operands");
        for (std::size_t i = c.operands.size(); i-- > 0;) {
            if (i == *inside) continue;
            onednn_step s;
            s.kind = onednn_step::form::binary;
            s.combine = *inside == 0 || k->any_order ? k->forward : k->backward;
            s.other = c.operands[i];
            s.call = v;
            chain.steps.push_back(s);
        }
        if (*inside != 0 && !k->any_order) {
            onednn_step s;
            s.eltwise =
                c.op == "onnx.Sub" ? onednn_eltwise{algorithm::eltwise_linear, -1, 0} : onednn_eltwise{algorithm::eltwise_pow, 1, -1};
            s.call = v;
            chain.steps.push_back(s);
        }
        ++read;
        v = c.operands[*inside];
    }
    std::reverse(chain.steps.begin(), chain.steps.end());
    chain.anchor = v;
    if (is_inside(v)) ++read;
    if (read + others != r.calls().size()) return error{"the region's " + std::to_string(r.calls().size()) + " operators are no chain"};
    return chain;
}

/// Appends an element-wise step to what follows a primitive.
inline void onednn_append(dnnl::post_ops& after, const onednn_eltwise& f) { after.append_eltwise(1.0f, f.function, f.alpha, f.beta); }

}  // namespace inlay::detail

#endif
