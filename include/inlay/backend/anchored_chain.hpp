// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ANCHORED_CHAIN_HPP
#define INLAY_BACKEND_ANCHORED_CHAIN_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/activation.hpp>
#include <inlay/backend/channel_line.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// One thing done to each element of what stands before it in a chain.
struct chain_step {
    enum class form : std::uint8_t {
        function,    // `function`
        combine,     // combined with the element of `other`
        batch_norm,  // with the statistics of `call`
    };
    enum class combination : std::uint8_t { add, multiply, maximum, minimum, subtract, divide };

    form kind = form::function;
    value_id call = 0;  // the last node that it is spelled with
    elementwise_function function{};
    combination how = combination::add;  // before (how) other
    value_id other = 0;
};

/// A region as one value and what is then done to it, in order.
struct anchored_chain {
    value_id anchor = 0;
    std::vector<chain_step> steps;
    std::size_t calls = 0;  // that it is read off, the anchor's among them
};

/// How an operator of two or more operands combines them; nothing where it is none of those that follow in a chain.
[[nodiscard]] inline std::optional<chain_step::combination> combination_of(std::string_view op) {
    using how = chain_step::combination;
    constexpr std::pair<std::string_view, how> known[] = {
        {"onnx.Add", how::add},     {"onnx.Sum", how::add},      {"onnx.Mul", how::multiply}, {"onnx.Max", how::maximum},
        {"onnx.Min", how::minimum}, {"onnx.Sub", how::subtract}, {"onnx.Div", how::divide}};
    for (const auto& [name, does] : known)
        if (name == op) return does;
    return std::nullopt;
}

/// What becomes of the value before a call of two or more operands in a chain, the operand at `inside`; empty where it is no such operator.
[[nodiscard]] inline std::vector<chain_step> combining_steps(const region_view& r, value_id call, std::size_t inside) {
    using how = chain_step::combination;
    using form = chain_step::form;
    const auto known = combination_of(r[call].op);
    if (!known) return {};
    how does = *known;
    std::vector<chain_step> made;
    if (inside != 0 && does == how::subtract) {
        made.push_back({form::function, call, {elementwise_function::form::linear, -1}});
        does = how::add;
    } else if (inside != 0 && does == how::divide) {
        made.push_back({form::function, call, {elementwise_function::form::power, 1, -1}});
        does = how::multiply;
    }
    for (std::size_t i = 0; i < r[call].operands.size(); ++i)
        if (i != inside) made.push_back({form::combine, call, {}, does, r[call].operands[i]});
    return made;
}

/// Reads a chain that ends at value `end` and begins at the call for which `is_anchor(value)` holds, or at an input where none is met. The
/// error says what does not fit.
template <class IsAnchor>
[[nodiscard]] outcome<anchored_chain> read_chain_behind(const region_view& r, value_id end, IsAnchor&& is_anchor,
                                                        activation_rules rules = {}) {
    const activation_reader activations(region_nodes{r}, rules);
    const auto is_inside = [&](value_id v) { return r[v].kind == region_value::role::call; };
    anchored_chain chain;
    value_id v = end;
    // From the end to the anchor; the steps are turned round behind it.
    while (is_inside(v) && !is_anchor(r[v])) {
        const region_value& c = r[v];
        const auto failed = [&](const char* why) { return error{std::string(c.op) + " " + why}; };
        if (!c.type->is_tensor()) return failed("has several outputs; the chain takes operators with one");
        if (auto a = activations.read(v)) {
            for (std::size_t i = a->functions.size(); i-- > 0;) chain.steps.push_back({chain_step::form::function, v, a->functions[i]});
            chain.calls += a->calls.size();
            v = a->source;
            continue;
        }
        ++chain.calls;
        std::optional<std::size_t> inside;
        if (c.op == "onnx.BatchNormalization") {
            chain.steps.push_back({chain_step::form::batch_norm, v});
            inside = 0;
        } else {
            for (std::size_t i = 0; i < c.operands.size(); ++i) {
                if (!is_inside(c.operands[i])) continue;
                if (inside) return failed("joins two values that are both computed inside");
                inside = i;
            }
            // Where no operand is computed inside, the chain begins at the first that is an input.
            for (std::size_t i = 0; i < c.operands.size() && !inside; ++i)
                if (r[c.operands[i]].kind == region_value::role::input) inside = i;
            if (!inside) return failed("has only constant operands");
            const std::vector<chain_step> steps = combining_steps(r, v, *inside);
            if (steps.empty()) return failed("is not an operator that can follow another inside one kernel of the library");
            chain.steps.insert(chain.steps.end(), steps.rbegin(), steps.rend());
        }
        v = c.operands[*inside];
    }
    std::reverse(chain.steps.begin(), chain.steps.end());
    chain.anchor = v;
    if (is_inside(v)) ++chain.calls;
    return chain;
}

/// Reads a region as such a chain; `others` calls of it do not belong to the chain and are the caller's to read.
template <class IsAnchor>
[[nodiscard]] outcome<anchored_chain> read_anchored_chain(const region_view& r, value_id end, IsAnchor&& is_anchor, std::size_t others = 0,
                                                          activation_rules rules = {}) {
    auto chain = read_chain_behind(r, end, is_anchor, rules);
    if (chain && chain->calls + others != r.calls().size())
        return error{"the region's " + std::to_string(r.calls().size()) + " operators are no chain"};
    return chain;
}

/// A step as a factor and a term per channel of a tensor of `rank` axes whose `channels` lie along `axis`; nothing where it is none.
[[nodiscard]] inline std::optional<channel_line> line_of_step(const region_view& r, const chain_step& s, std::size_t rank, std::size_t axis,
                                                              std::size_t channels) {
    using how = chain_step::combination;
    if (s.kind == chain_step::form::batch_norm) return axis == 1 ? line_of_statistics(r, r[s.call], channels) : std::nullopt;
    if (s.kind == chain_step::form::function) {
        if (s.function.kind != elementwise_function::form::linear) return std::nullopt;
        return channel_line::of(channels, s.function.alpha, s.function.beta);
    }
    const auto numbers = s.how == how::maximum || s.how == how::minimum ? std::nullopt : per_channel(r, s.other, rank, axis, channels);
    if (!numbers) return std::nullopt;
    channel_line line = channel_line::of(channels);
    for (std::size_t c = 0; c < channels; ++c) {
        const double n = (*numbers)[c];
        if (s.how == how::add || s.how == how::subtract) line.shift[c] = s.how == how::add ? n : -n;
        if (s.how == how::multiply || s.how == how::divide) line.scale[c] = s.how == how::multiply ? n : 1 / n;
    }
    return line;
}

/// The first steps of a chain as one line per channel, which are taken off it. Numbers that are no finite floats end it: a term of zero
/// times infinity would be none.
///
/// `bias` is what the anchor does itself in the same form, as the bias of a convolution does; left out, it does nothing. A constant that
/// cancels another one ends the line, too, and so does one that swamps the anchor's sums. The statistics of a batch normalisation are
/// joined with what is before them in any case.
[[nodiscard]] inline channel_line take_line(const region_view& r, anchored_chain& chain, std::size_t axis,
                                            std::optional<channel_line> bias = std::nullopt) {
    const std::vector<std::int64_t> extents = static_shape(r.type(chain.anchor));
    const auto channels = static_cast<std::size_t>(axis < extents.size() ? extents[axis] : 1);
    channel_line line = channel_line::of(channels), before = bias.value_or(line);
    bool adds_last = bias.has_value();
    std::size_t taken = 0;
    for (; taken < chain.steps.size(); ++taken) {
        const auto next = line_of_step(r, chain.steps[taken], extents.size(), axis, channels);
        if (!next) break;
        const bool is_batch_norm = chain.steps[taken].kind == chain_step::form::batch_norm;
        if (!is_batch_norm && !before.may_take(*next, adds_last)) break;
        channel_line joined = line;
        joined.then(*next);
        if (!joined.is_finite()) break;
        before.then(*next);
        adds_last = !is_batch_norm && next->ends_with_addition(adds_last);
        line = std::move(joined);
    }
    chain.steps.erase(chain.steps.begin(), chain.steps.begin() + static_cast<std::ptrdiff_t>(taken));
    return line;
}

}  // namespace inlay::detail

#endif
