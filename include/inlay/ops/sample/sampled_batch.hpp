// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_SAMPLE_SAMPLED_BATCH_HPP
#define INLAY_OPS_SAMPLE_SAMPLED_BATCH_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/ops/attributes/normalization_attributes.hpp>
#include <inlay/ops/attributes/quantization_attributes.hpp>
#include <inlay/ops/attributes/reduction_attributes.hpp>
#include <inlay/ops/attributes/scalar_attributes.hpp>
#include <inlay/ops/interpret/evaluate_call.hpp>
#include <inlay/ops/loops/convert_elements.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/ops/onnx/onnx_element_type.hpp>
#include <inlay/ops/sample/sampled_call.hpp>

namespace inlay::detail {

/// A small call whose results hold the wanted elements of a large one: which elements its operands are made of, and where in its results
/// each wanted element is. The operator's own meaning evaluates it.
struct sampled_batch {
    /// One operand: elements of the large one, in order, under the extents that the small call has. Left out where there are no extents
    /// and nothing is given.
    struct gathered_operand {
        std::vector<std::int64_t> elements;
        std::vector<std::int64_t> extents;
        bool is_there = false;
        tensor given;  // `ok()`: this instead
    };

    std::vector<gathered_operand> operands;
    attribute_map attributes;
    std::vector<std::vector<std::int64_t>> place;  // by result and wanted element
    double summed = 1;                             // elements that one result element may be a sum of
    bool keeps_types = false;                      // floating elements stay as they are declared, and are not widened to float64

    /// How many elements are read and made.
    [[nodiscard]] double work() const {
        double sum = 0;
        for (const gathered_operand& o : operands) sum += static_cast<double>(o.elements.size());
        for (const std::vector<std::int64_t>& p : place) sum += static_cast<double>(p.size());
        return sum;
    }
};

/// Builds the small call for one of an elementwise operator: its operands' elements, each stretched to the wanted ones.
class elementwise_batch {
public:
    [[nodiscard]] static bool suits(const sampled_call& c) {
        if (c.definition->kind > op_kind::broadcast || c.results.size() != 1 || c.op() == "onnx.Expand") return false;
        if (c.op().starts_with("onnx."))
            return c.op() != "onnx.BatchNormalization" || !read<batch_normalization_attributes>(c.call).training_mode;
        // Other dialects may align operands by attributes. Equal shapes and single numbers need no alignment.
        for (const sampled_tensor* t : c.operands)
            if (t == nullptr || (t->extents() != c.result().extents() && t->count() != 1)) return false;
        return true;
    }

    [[nodiscard]] static sampled_batch of(const sampled_call& c) {
        sampled_batch b;
        b.attributes = *c.call.attributes;
        const std::vector<std::int64_t>& wanted = c.result().wanted();
        const auto n = static_cast<std::int64_t>(wanted.size());
        const bool is_batch_normalization = c.op() == "onnx.BatchNormalization";
        const bool is_quantization = c.op() == "onnx.QuantizeLinear" || c.op() == "onnx.DequantizeLinear";
        b.keeps_types = is_quantization;
        const std::vector<std::int64_t>& out = c.result().extents();
        const std::vector<std::int64_t> own = row_major_strides(out);
        for (std::size_t i = 0; i < c.operands.size(); ++i) {
            sampled_batch::gathered_operand& o = b.operands.emplace_back();
            if (!c.has(i)) continue;
            o.is_there = true;
            const sampled_tensor& t = c.operand(i);
            if (is_parameter(c, i)) {
                o.extents = t.extents();
                for (std::int64_t k = 0; k < t.count(); ++k) o.elements.push_back(k);
                continue;
            }
            o.extents = is_batch_normalization && i == 0 ? std::vector<std::int64_t>{1, n} : std::vector<std::int64_t>{n};
            o.elements.reserve(wanted.size());
            if (is_batch_normalization && i > 0) {
                const std::int64_t channels = out.size() > 1 ? out[1] : 1, step = out.size() > 1 ? own[1] : 1;
                for (const std::int64_t at : wanted) o.elements.push_back(out.size() > 1 ? at / step % channels : 0);
            } else if (is_quantization && i > 0 && t.count() > 1) {
                gather_scales(c, t, wanted, own, o.elements);
            } else if (t.count() == 1) {
                o.elements.assign(wanted.size(), 0);
            } else if (t.extents() == out) {
                o.elements = wanted;
            } else {
                const std::vector<std::int64_t> step = stretched_strides(t.extents(), out);
                for (const std::int64_t at : wanted) {
                    std::int64_t from = 0;
                    for (std::size_t a = 0; a < out.size(); ++a)
                        if (step[a] != 0) from += at / own[a] % out[a] * step[a];
                    o.elements.push_back(from);
                }
            }
        }
        if (is_quantization) {
            b.attributes.set("axis", std::int64_t{0});
            b.attributes.erase("block_size");
        }
        b.place.emplace_back();
        for (std::int64_t k = 0; k < n; ++k) b.place[0].push_back(k);
        return b;
    }

private:
    /// Whether operand i is a number for all elements, not one of its own for each.
    [[nodiscard]] static bool is_parameter(const sampled_call& c, std::size_t i) {
        return i > 0 && (c.op() == "onnx.Clip" || c.op() == "onnx.Dropout");
    }
    /// Scales and zero points lie along an axis, one for each place or for each block of places.
    static void gather_scales(const sampled_call& c, const sampled_tensor& t, const std::vector<std::int64_t>& wanted,
                              const std::vector<std::int64_t>& own, std::vector<std::int64_t>& elements) {
        const std::vector<std::int64_t>& out = c.result().extents();
        const auto rank = static_cast<std::int64_t>(out.size());
        const std::int64_t stated = c.call.attributes->integer("axis", 1), block = c.call.attributes->integer("block_size", 0);
        const auto axis = static_cast<std::size_t>(std::clamp<std::int64_t>(stated < 0 ? stated + rank : stated, 0, rank - 1));
        const std::vector<std::int64_t> step = row_major_strides(t.extents());
        for (const std::int64_t at : wanted) {
            if (block == 0) {
                elements.push_back(at / own[axis] % out[axis]);
                continue;
            }
            std::int64_t from = 0;
            for (std::size_t a = 0; a < out.size(); ++a) from += at / own[a] % out[a] / (a == axis ? block : 1) * step[a];
            elements.push_back(from);
        }
    }
};

/// Builds the small call for an operator that works along some axes and not across others: the rows that hold wanted elements.
class row_batch {
public:
    [[nodiscard]] static bool suits(const sampled_call& c) {
        const std::string_view op = c.op();
        if (op.starts_with("onnx.Reduce")) return c.is_known(1);
        if (op == "onnx.CumSum" || op == "onnx.TopK") return c.is_known(1);
        if (op == "onnx.LayerNormalization" || op == "onnx.RMSNormalization" || op == "onnx.InstanceNormalization")
            return c.results.size() == 1 && fits_rows(c);
        constexpr std::string_view others[] = {"onnx.ArgMax",          "onnx.ArgMin",       "onnx.GlobalAveragePool", "onnx.Hardmax",
                                               "onnx.LogSoftmax",      "onnx.GlobalLpPool", "onnx.Softmax",           "onnx.GlobalMaxPool",
                                               "onnx.LpNormalization", "onnx.LRN"};
        return std::find(std::begin(others), std::end(others), op) != std::end(others);
    }

    [[nodiscard]] static outcome<sampled_batch> of(const sampled_call& c) {
        const std::vector<std::int64_t>& in = c.operand(0).extents();
        const std::vector<char> along = axes_along(c);
        const bool is_reduced = c.op().starts_with("onnx.Reduce") || c.op().starts_with("onnx.Arg") || c.op().starts_with("onnx.Global");
        row_batch rows(in, along);
        if (!rows.fits(c, is_reduced)) return error{"its operands at hand give results of other extents than its type states"};
        sampled_batch b;
        b.attributes = *c.call.attributes;
        b.summed = static_cast<double>(rows.length_);
        for (sampled_tensor* const result : c.results) {
            std::vector<std::int64_t>& place = b.place.emplace_back();
            if (result == nullptr) continue;
            const std::int64_t width = is_reduced ? 1 : rows.width(result->extents());
            for (const std::int64_t out : result->wanted()) {
                // A result of which the rows' axes are gone, or have extent 1, counts rows.
                const auto [row, at] = is_reduced ? std::pair{out, std::int64_t{0}} : rows.split(out, result->extents());
                place.push_back(rows.number(row) * width + at);
            }
        }
        const auto count = static_cast<std::int64_t>(rows.rows_.size());
        const bool has_channels = c.op().starts_with("onnx.Global") || c.op() == "onnx.InstanceNormalization";
        sampled_batch::gathered_operand& data = b.operands.emplace_back();
        data.is_there = true;
        data.extents = c.op() == "onnx.LRN"                     ? std::vector<std::int64_t>{count, rows.length_, 1}
                       : c.op() == "onnx.InstanceNormalization" ? std::vector<std::int64_t>{1, count, rows.length_}
                       : has_channels                           ? std::vector<std::int64_t>{count, 1, rows.length_}
                                                                : std::vector<std::int64_t>{count, rows.length_};
        if (static_cast<double>(count) * static_cast<double>(rows.length_) > most_elements)
            return error{"its rows are longer than a check reads"};
        rows.gather(data.elements);
        for (std::size_t i = 1; i < c.operands.size(); ++i) {
            sampled_batch::gathered_operand& o = b.operands.emplace_back();
            if (!c.has(i)) continue;
            o.is_there = true;
            if (c.op().starts_with("onnx.Reduce")) {
                o.given = tensor::of<std::int64_t>({1}, std::vector<std::int64_t>{1});
            } else if (c.op() == "onnx.CumSum") {
                o.given = tensor::scalar<std::int64_t>(1);
            } else if (c.op() == "onnx.TopK") {
                o.given = c.operand(i).whole();
            } else if (c.op() == "onnx.InstanceNormalization") {
                o.extents = {count};
                for (const std::int64_t row : rows.rows_) o.elements.push_back(row % in[1]);
            } else {
                rows.stretch(c.operand(i), in, along, o);
            }
        }
        if (c.op().starts_with("onnx.Reduce")) {
            if (b.operands.size() < 2) b.operands.emplace_back();
            b.operands[1].is_there = true;
            b.operands[1].given = tensor::of<std::int64_t>({1}, std::vector<std::int64_t>{1});
            b.attributes.set("keepdims", std::int64_t{0});
        } else if (!has_channels && c.op() != "onnx.CumSum" && c.op() != "onnx.LRN") {
            b.attributes.set("axis", std::int64_t{1});
            if (c.op().starts_with("onnx.Arg")) b.attributes.set("keepdims", std::int64_t{0});
        }
        return b;
    }

private:
    static constexpr double most_elements = 1 << 22;

    row_batch(const std::vector<std::int64_t>& in, const std::vector<char>& along) : along_(along) {
        const std::vector<std::int64_t> own = row_major_strides(in);
        for (std::size_t a = 0; a < in.size(); ++a) {
            if (along[a] != 0) {
                length_ *= in[a];
                inner_.emplace_back(in[a], own[a]);
            } else {
                outer_.emplace_back(in[a], own[a]);
            }
        }
    }

    /// Whether results have the extents that the values of the operands give. Numbers that a check draws for them need not.
    [[nodiscard]] bool fits(const sampled_call& c, bool is_reduced) const {
        std::int64_t count = 1;
        for (const auto& [extent, stride] : outer_) count *= extent;
        const auto k = c.op() == "onnx.TopK" ? integers_of(c.operand(1).whole()) : std::nullopt;
        return std::all_of(c.results.begin(), c.results.end(), [&](const sampled_tensor* r) {
            return r == nullptr || (is_reduced ? r->count() == count : !k || (!k->empty() && width(r->extents()) == k->front()));
        });
    }

    [[nodiscard]] static bool fits_rows(const sampled_call& c) {
        if (c.op() == "onnx.InstanceNormalization") return true;
        const std::vector<std::int64_t>& in = c.operand(0).extents();
        const std::vector<char> along = axes_along(c);
        const auto rows = static_cast<std::size_t>(std::count(along.begin(), along.end(), 1));
        for (std::size_t i = 1; i < c.operands.size(); ++i)
            if (c.has(i) && c.operand(i).extents().size() > rows) return false;
        return !in.empty();
    }

    /// Which axes of the first operand the operator works along.
    [[nodiscard]] static std::vector<char> axes_along(const sampled_call& c) {
        const auto rank = static_cast<std::int64_t>(c.operand(0).extents().size());
        std::vector<char> along(static_cast<std::size_t>(rank), 0);
        const auto take = [&](std::int64_t axis) {
            if (axis < 0) axis += rank;
            if (axis >= 0 && axis < rank) along[static_cast<std::size_t>(axis)] = 1;
        };
        const std::string_view op = c.op();
        if (op.starts_with("onnx.Reduce")) {
            const auto axes = c.has(1) ? integers_of(c.operand(1).whole()) : std::optional(std::vector<std::int64_t>());
            if (axes) std::for_each(axes->begin(), axes->end(), take);
            if ((!axes || axes->empty()) && !read<reduce_attributes>(c.call).noop_with_empty_axes) along.assign(along.size(), 1);
        } else if (op == "onnx.CumSum") {
            if (const auto axes = integers_of(c.operand(1).whole()); axes && !axes->empty()) take(axes->front());
        } else if (op == "onnx.LayerNormalization" || op == "onnx.RMSNormalization") {
            std::int64_t axis = read<layer_normalization_attributes>(c.call).axis;
            for (axis = axis < 0 ? axis + rank : axis; axis < rank; ++axis) take(axis);
        } else if (op == "onnx.LRN") {
            take(1);
        } else if (op == "onnx.InstanceNormalization" || op.starts_with("onnx.Global")) {
            for (std::int64_t axis = 2; axis < rank; ++axis) take(axis);
        } else {
            take(c.call.attributes->integer("axis", op.starts_with("onnx.Arg") ? 0 : -1));
        }
        return along;
    }

    /// The product of a result's extents along the rows' axes.
    [[nodiscard]] std::int64_t width(const std::vector<std::int64_t>& extents) const {
        std::int64_t product = 1;
        for (std::size_t a = 0; a < extents.size(); ++a) product *= along_[a] != 0 ? extents[a] : 1;
        return product;
    }
    /// The row of a result's element, and its place there.
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> split(std::int64_t out, const std::vector<std::int64_t>& extents) const {
        const std::vector<std::int64_t> own = row_major_strides(extents);
        std::int64_t row = 0, at = 0;
        for (std::size_t a = 0; a < extents.size(); ++a) {
            std::int64_t& to = along_[a] != 0 ? at : row;
            to = to * extents[a] + out / own[a] % extents[a];
        }
        return {row, at};
    }
    /// The number of a row among those that are gathered.
    [[nodiscard]] std::int64_t number(std::int64_t row) {
        // Wanted elements come in ascending order, so that most are of the last row.
        if (!rows_.empty() && rows_.back() == row) return static_cast<std::int64_t>(rows_.size()) - 1;
        const auto [at, is_new] = number_of_.try_emplace(row, static_cast<std::int64_t>(rows_.size()));
        if (is_new) rows_.push_back(row);
        return at->second;
    }
    void gather(std::vector<std::int64_t>& elements) const {
        elements.reserve(rows_.size() * static_cast<std::size_t>(length_));
        std::vector<std::int64_t> offsets;
        offsets.reserve(static_cast<std::size_t>(length_));
        for (std::int64_t k = 0; k < length_; ++k) offsets.push_back(place_of(k, inner_));
        for (const std::int64_t row : rows_) {
            const std::int64_t begin = place_of(row, outer_);
            for (const std::int64_t offset : offsets) elements.push_back(begin + offset);
        }
    }
    [[nodiscard]] static std::int64_t place_of(std::int64_t number, const std::vector<std::pair<std::int64_t, std::int64_t>>& axes) {
        std::int64_t place = 0;
        for (std::size_t i = axes.size(); i-- > 0; number /= axes[i].first) place += number % axes[i].first * axes[i].second;
        return place;
    }
    /// A scale or shift of layer normalisation, stretched over one row.
    void stretch(const sampled_tensor& t, const std::vector<std::int64_t>& in, const std::vector<char>& along,
                 sampled_batch::gathered_operand& o) const {
        std::vector<std::int64_t> row;
        for (std::size_t a = 0; a < in.size(); ++a)
            if (along[a] != 0) row.push_back(in[a]);
        const std::vector<std::int64_t> step = stretched_strides(t.extents(), row);
        o.extents = {length_};
        for (std::int64_t k = 0; k < length_; ++k) {
            std::int64_t from = 0, left = k;
            for (std::size_t a = row.size(); a-- > 0; left /= row[a]) from += left % row[a] * step[a];
            o.elements.push_back(from);
        }
    }

    std::vector<char> along_;
    std::int64_t length_ = 1;
    std::vector<std::pair<std::int64_t, std::int64_t>> outer_, inner_;  // extent and stride of the axes across, and along, the rows
    std::vector<std::int64_t> rows_;
    std::map<std::int64_t, std::int64_t> number_of_;
};

/// The whole call as a batch: all of its operands, and the wanted elements where they are.
[[nodiscard]] inline sampled_batch whole_batch(const sampled_call& c) {
    sampled_batch b;
    b.attributes = *c.call.attributes;
    for (std::size_t i = 0; i < c.operands.size(); ++i) {
        sampled_batch::gathered_operand& o = b.operands.emplace_back();
        if (!c.has(i)) continue;
        o.is_there = true;
        o.extents = c.operand(i).extents();
        o.elements.resize(static_cast<std::size_t>(c.operand(i).count()));
        for (std::size_t k = 0; k < o.elements.size(); ++k) o.elements[k] = static_cast<std::int64_t>(k);
    }
    for (sampled_tensor* r : c.results) b.place.push_back(r == nullptr ? std::vector<std::int64_t>() : r->wanted());
    return b;
}

/// Marks what a batch reads.
inline void want_batch(const sampled_call& c, const sampled_batch& b) {
    for (std::size_t i = 0; i < c.operands.size(); ++i) {
        if (!c.has(i) || c.operand(i).is_known()) continue;
        for (const std::int64_t at : b.operands[i].elements) c.operand(i).want(at);
    }
}

/// Evaluates a batch: as it is, and twice more with operands that are off by their errors and some steps of rounding, which shows how far
/// off a right kernel may be.
class batch_evaluation {
public:
    batch_evaluation(const sampled_call& c, const sampled_batch& b) : c_(c), b_(b) {}

    [[nodiscard]] outcome<void> run() {
        bool widens = !b_.keeps_types;
        auto exact = evaluate(0, widens);
        if (!exact && widens) {
            widens = false;
            exact = evaluate(0, widens);
        }
        if (!exact) return exact.failure();
        std::vector<std::vector<tensor>> off;
        for (int pattern = 1; pattern <= 2 && can_be_off(); ++pattern)
            if (auto made = evaluate(pattern, widens)) off.push_back(*std::move(made));
        for (std::size_t r = 0; r < c_.results.size(); ++r)
            if (c_.results[r] != nullptr)
                if (auto taken = take(r, *exact, off); !taken) return taken;
        return {};
    }

private:
    [[nodiscard]] bool can_be_off() const {
        for (std::size_t i = 0; i < c_.operands.size(); ++i)
            if (c_.has(i) && (is_floating(c_.operand(i).element()) || !c_.operand(i).is_known())) return true;
        return false;
    }

    [[nodiscard]] outcome<std::vector<tensor>> evaluate(int pattern, bool widens) const {
        std::vector<tensor> operands;
        for (std::size_t i = 0; i < b_.operands.size(); ++i) {
            const sampled_batch::gathered_operand& o = b_.operands[i];
            if (!o.is_there) {
                operands.emplace_back();
            } else if (o.given.ok()) {
                operands.push_back(o.given);
            } else {
                // A power of a negative number is one of whole exponents alone.
                const bool is_exponent = c_.op() == "onnx.Pow" && i == 1 && c_.operand(i).is_known();
                auto made = gathered(c_.operand(i), o, is_exponent ? 0 : pattern, widens, i);
                if (!made.ok()) return error{"there is no memory for the elements that its check reads"};
                operands.push_back(std::move(made));
            }
        }
        attribute_map attributes = b_.attributes;
        if (widens && c_.op() == "onnx.Cast") {
            const auto to = element_type_attribute<&cast_attributes::to>(attributes);
            if (to && is_floating(*to)) attributes.set(attribute_name<&cast_attributes::to>, onnx_number_of(element_type::float64));
        }
        return evaluate_call(*c_.definition, attributes, operands, c_.call.outputs);
    }

    [[nodiscard]] static tensor gathered(const sampled_tensor& t, const sampled_batch::gathered_operand& o, int pattern, bool widens,
                                         std::size_t operand) {
        if (!is_floating(t.element()) && !is_float8(t.element())) {
            // Numbers that are known stay exact, however wide they are.
            const auto is_whole = [&] {
                for (std::size_t k = 0; k < o.elements.size(); ++k)
                    if (o.elements[k] != static_cast<std::int64_t>(k)) return false;
                return o.elements.size() == t.whole().count() && o.extents == t.extents();
            };
            if (pattern == 0 && t.is_known() && is_whole()) return t.whole();
            tensor wide(element_type::int64, o.extents);
            if (!wide.ok()) return wide;
            const auto to = wide.as<std::int64_t>();
            for (std::size_t k = 0; k < o.elements.size(); ++k) {
                if (t.is_known() && t.element() == element_type::int64) {
                    to[k] = t.whole().as<std::int64_t>()[static_cast<std::size_t>(o.elements[k])];
                    continue;
                }
                double v = t.value(o.elements[k]);
                if (pattern != 0) v += sign(k, operand, pattern) * std::min(t.error(o.elements[k]), 1e9);
                to[k] = static_cast<std::int64_t>(std::nearbyint(std::clamp(v, -9e18, 9e18)));
            }
            if (t.element() == element_type::int64) return wide;
            return saturated(wide, t.element());
        }
        tensor wide(element_type::float64, o.extents);
        if (!wide.ok()) return wide;
        const auto to = wide.as<double>();
        const double step = pattern == 0 ? 0 : operand_steps * spacing_of_inputs(t.element());
        for (std::size_t k = 0; k < o.elements.size(); ++k) {
            const double v = t.value(o.elements[k]);
            to[k] = pattern == 0 || !std::isfinite(v) ? v : v + sign(k, operand, pattern) * (t.error(o.elements[k]) + step * std::abs(v));
        }
        // Operators that convert 8-bit floats take them as they are.
        if ((widens && !is_float8(t.element())) || t.element() == element_type::float64) return wide;
        auto narrow = convert_elements(wide, t.element(), false);
        return narrow ? *std::move(narrow) : tensor();
    }
    [[nodiscard]] static double spacing_of_inputs(element_type e) { return is_half(e) ? spacing_of(element_type::float32) : spacing_of(e); }
    [[nodiscard]] static tensor saturated(const tensor& wide, element_type to) {
        double low = 0, high = 1;
        switch (to) {
            case element_type::int8:
                low = -128, high = 127;
                break;
            case element_type::uint8:
                high = 255;
                break;
            case element_type::int16:
                low = -32768, high = 32767;
                break;
            case element_type::uint16:
                high = 65535;
                break;
            case element_type::int32:
                low = -2147483648.0, high = 2147483647;
                break;
            case element_type::uint32:
                high = 4294967295.0;
                break;
            case element_type::uint64:
                high = 9e18;
                break;
            default:
                break;
        }
        tensor own(element_type::int64, wide.extents());
        if (!own.ok()) return own;
        for (std::size_t k = 0; k < wide.count(); ++k)
            own.as<std::int64_t>()[k] = static_cast<std::int64_t>(std::clamp(static_cast<double>(wide.as<std::int64_t>()[k]), low, high));
        auto narrow = convert_elements(own, to);
        return narrow ? *std::move(narrow) : tensor();
    }
    /// Which way element k of an operand is off: up, all of them, or each its own way. Neighbouring operands then go opposite ways, so that
    /// terms that cancel in the result do not cancel in its error.
    [[nodiscard]] static double sign(std::size_t k, std::size_t operand, int pattern) {
        return pattern == 1 || (((k * 0x9E3779B97F4A7C15u) >> 63) + operand) % 2 == 0 ? 1.0 : -1.0;
    }

    /// How far off an element is because a number near 1 was subtracted from 1, as in the tail of Gelu, x (1 + erf(x / sqrt 2)) / 2.
    [[nodiscard]] double lost(std::size_t r, std::size_t k) const {
        if (c_.op() != "onnx.Gelu" || b_.operands.front().elements.size() != b_.place[r].size()) return 0;
        const sampled_tensor& x = c_.operand(0);
        return 2 * spacing_of_inputs(x.element()) * std::abs(x.value(b_.operands.front().elements[k]));
    }

    [[nodiscard]] outcome<void> take(std::size_t r, const std::vector<tensor>& exact, const std::vector<std::vector<tensor>>& off) {
        sampled_tensor& to = *c_.results[r];
        const tensor& from = exact[r];
        const double least = least_normal_of(to.element());
        const double rounding = function_steps * spacing_of_inputs(to.element()) + 2 * spacing_of(to.element());
        for (std::size_t k = 0; k < b_.place[r].size(); ++k) {
            const std::int64_t at = b_.place[r][k];
            if (at < 0 || at >= static_cast<std::int64_t>(from.count())) return error{"its meaning gives results of other extents"};
            const double v = element_as_double(from.data(), from.element(), at);
            double spread = 0;
            for (const std::vector<tensor>& o : off) {
                if (o[r].count() != from.count()) return error{"the extents of its results depend on rounding"};
                const double d = std::abs(element_as_double(o[r].data(), o[r].element(), at) - v);
                spread = d <= spread ? spread : d;  // a NaN counts as a difference
            }
            to.set(k, v,
                   spread == spread ? 2 * spread * c_.growth(b_.summed) + rounding * std::abs(v) + lost(r, k) + least
                                    : std::numeric_limits<double>::infinity());
        }
        return {};
    }

    const sampled_call& c_;
    const sampled_batch& b_;
};

}  // namespace inlay::detail

#endif
