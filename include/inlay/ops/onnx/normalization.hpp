// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_NORMALIZATION_HPP
#define INLAY_OPS_ONNX_NORMALIZATION_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/ops/attributes/normalization_attributes.hpp>
#include <inlay/ops/loops/convert_elements.hpp>
#include <inlay/ops/onnx/elementwise_definition.hpp>

namespace inlay {
namespace detail {

/// The elements as doubles: scales, biases and statistics of normalisations, whatever float type they have.
[[nodiscard]] inline std::optional<std::vector<double>> doubles_of(const tensor& t) {
    const auto wide = convert_elements(t, element_type::float64);
    if (!wide) return std::nullopt;
    return std::vector<double>(wide->as<double>().begin(), wide->as<double>().end());
}

/// The mean and the variance (of the whole population) of elements `begin, begin + step, ...`, in float64 and two passes.
struct moments {
    double mean = 0, variance = 0;

    template <class T>
    [[nodiscard]] static moments of(const T* x, std::int64_t count) {
        moments m;
        if (count == 0) return m;
        for (std::int64_t i = 0; i < count; ++i) m.mean += static_cast<double>(x[i]);
        m.mean /= static_cast<double>(count);
        for (std::int64_t i = 0; i < count; ++i) {
            const double d = static_cast<double>(x[i]) - m.mean;
            m.variance += d * d;
        }
        m.variance /= static_cast<double>(count);
        return m;
    }
};

/// y = x * factor + shift, each rounded once.
template <class T>
void scale_row(const T* x, T* y, std::int64_t count, double mean, double factor, double shift) {
    for (std::int64_t i = 0; i < count; ++i) y[i] = static_cast<T>((static_cast<double>(x[i]) - mean) * factor + shift);
}

/// What is wrong with operand i as a vector of one number per channel (axis 1 of operand 0), if anything.
[[nodiscard]] inline std::optional<error> wrong_channel_vector(const call_view& call, std::size_t i) {
    if (auto wrong = wrong_element(call, i, elements(floating_scalars()))) return wrong;
    const tensor_type &data = call.type(0), &vector = call.type(i);
    if (!vector.ranked) return std::nullopt;
    if (vector.rank() == 1) {
        if (!data.ranked || data.rank() < 2) return std::nullopt;
        const extent &channels = data.extents[1], &length = vector.extents[0];
        if (!channels.is_known() || !length.is_known() || channels.size == length.size) return std::nullopt;
    }
    return error{short_name(call.op) + " has operand " + std::to_string(i) + " of type " + to_string(vector) +
                 ", which is not one number per channel of " + to_string(data)};
}

// BatchNormalization.

inline outcome<node_type> infer_batch_normalization(const call_view& call) {
    if (auto wrong = wrong_arity(call, 5, 5)) return std::move(*wrong);
    if (auto wrong = wrong_element(call, 0, elements(floating_scalars()))) return std::move(*wrong);
    for (std::size_t i = 1; i < 5; ++i)
        if (auto wrong = wrong_channel_vector(call, i)) return std::move(*wrong);
    if (call.type(0).ranked && call.type(0).rank() < 1) return error{"BatchNormalization has data without axes"};
    if (call.outputs > 1 && !read<batch_normalization_attributes>(call).training_mode)
        return error{"BatchNormalization has more than one output in training mode alone"};
    if (call.outputs > 3) return error{"BatchNormalization has at most three outputs"};
    std::vector<node_type> fields{node_type(call.type(0)), node_type(call.type(3)), node_type(call.type(4))};
    if (call.outputs <= 1) return std::move(fields[0]);
    fields.resize(call.outputs);
    return node_type::tuple(std::move(fields));
}

inline outcome<std::vector<tensor>> evaluate_batch_normalization(const call_view& call, std::span<const tensor> operands) {
    const tensor& data = operands[0];
    std::vector<std::vector<double>> vectors;
    // Data of one axis have one channel, and elements that are the batch.
    const std::int64_t channels = data.rank() >= 2 ? data.extents()[1] : 1;
    for (std::size_t i = 1; i < 5; ++i) {
        auto numbers = doubles_of(operands[i]);
        if (!numbers || static_cast<std::int64_t>(numbers->size()) != channels)
            return error{"BatchNormalization has operand " + std::to_string(i) + " of type " + to_string(operands[i].type()) + " for " +
                         std::to_string(channels) + " channels"};
        vectors.push_back(std::move(*numbers));
    }
    const double epsilon = read<batch_normalization_attributes>(call).epsilon,
                 momentum = read<batch_normalization_attributes>(call).momentum;
    const bool training = read<batch_normalization_attributes>(call).training_mode;
    const std::int64_t inner = data.rank() >= 2 ? extent_product(data.extents(), 2, data.rank()) : 1,
                       batch = data.rank() == 0 ? 1 : data.extents()[0];
    tensor result(data.element(), data.extents());
    if (!result.ok()) return no_memory(call, data.type());
    std::vector<double> mean = vectors[2], variance = vectors[3];
    const bool known = visit_element_type(floating_scalars(), data.element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        const T* const x = data.as<T>().data();
        T* const y = result.as<T>().data();
        for (std::int64_t c = 0; c < channels; ++c) {
            const auto k = static_cast<std::size_t>(c);
            if (training) {
                double sum = 0, squares = 0;
                const auto count = static_cast<double>(batch * inner);
                for (std::int64_t n = 0; n < batch; ++n)
                    for (std::int64_t i = 0; i < inner; ++i) sum += static_cast<double>(x[(n * channels + c) * inner + i]);
                mean[k] = count == 0 ? 0 : sum / count;
                for (std::int64_t n = 0; n < batch; ++n)
                    for (std::int64_t i = 0; i < inner; ++i) {
                        const double d = static_cast<double>(x[(n * channels + c) * inner + i]) - mean[k];
                        squares += d * d;
                    }
                variance[k] = count == 0 ? 0 : squares / count;
            }
            const double factor = vectors[0][k] / std::sqrt(variance[k] + epsilon);
            for (std::int64_t n = 0; n < batch; ++n)
                scale_row(x + (n * channels + c) * inner, y + (n * channels + c) * inner, inner, mean[k], factor, vectors[1][k]);
        }
    });
    if (!known) return no_loop(call, data.element());
    std::vector<tensor> results{std::move(result)};
    for (std::size_t i = 1; i < call.outputs; ++i) {
        const std::vector<double>& now = i == 1 ? mean : variance;
        tensor running(element_type::float64, {channels});
        for (std::size_t k = 0; k < now.size(); ++k) running.as<double>()[k] = vectors[i + 1][k] * momentum + now[k] * (1 - momentum);
        auto narrow = convert_elements(running, operands[i + 2].element());
        if (!narrow) return no_memory(call, running.type());
        results.push_back(std::move(*narrow));
    }
    return results;
}

// InstanceNormalization and GroupNormalization: groups of channels of one image.

inline outcome<node_type> infer_instance_normalization(const call_view& call) {
    if (auto wrong = wrong_arity(call, 3, 3)) return std::move(*wrong);
    if (auto wrong = wrong_element(call, 0, elements(floating_scalars()))) return std::move(*wrong);
    for (std::size_t i = 1; i < 3; ++i)
        if (auto wrong = wrong_channel_vector(call, i)) return std::move(*wrong);
    if (call.type(0).ranked && call.type(0).rank() < 2)
        return error{"InstanceNormalization has data of type " + to_string(call.type(0)) + " without channels"};
    return node_type(call.type(0));
}

inline outcome<node_type> infer_group_normalization(const call_view& call) {
    if (auto wrong = wrong_arity(call, 3, 3)) return std::move(*wrong);
    for (std::size_t i = 0; i < 3; ++i)
        if (auto wrong = wrong_element(call, i, elements(floating_scalars()))) return std::move(*wrong);
    const std::int64_t groups = read<group_normalization_attributes>(call).num_groups;
    if (groups <= 0) return error{"GroupNormalization needs the attribute num_groups to be positive and has " + std::to_string(groups)};
    const tensor_type& data = call.type(0);
    if (!data.ranked) return node_type(data);
    if (data.rank() < 2) return error{"GroupNormalization has data of type " + to_string(data) + " without channels"};
    const extent& channels = data.extents[1];
    if (channels.is_known() && channels.size % groups != 0)
        return error{"GroupNormalization cannot divide " + std::to_string(channels.size) + " channels into " + std::to_string(groups) +
                     " groups"};
    for (std::size_t i = 1; i < 3; ++i) {
        const tensor_type& vector = call.type(i);
        if (!vector.is_static()) continue;
        const bool fits =
            vector.rank() == 1 && (vector.extents[0].size == groups || !channels.is_known() || vector.extents[0].size == channels.size);
        if (!fits)
            return error{"GroupNormalization has operand " + std::to_string(i) + " of type " + to_string(vector) +
                         ", one number per group or channel was expected"};
    }
    return node_type(data);
}

/// Scale and bias have one number per group (opset 18) or per channel (from opset 21); InstanceNormalization has as many groups as
/// channels.
inline outcome<std::vector<tensor>> normalize_groups(const call_view& call, std::span<const tensor> operands, std::int64_t groups) {
    const tensor& data = operands[0];
    const std::int64_t channels = data.extents()[1], inner = extent_product(data.extents(), 2, data.rank()),
                       per_group = groups == 0 ? 0 : channels / groups;
    const auto scale = doubles_of(operands[1]), bias = doubles_of(operands[2]);
    const auto fits = [&](const std::optional<std::vector<double>>& v) {
        return v && (static_cast<std::int64_t>(v->size()) == channels || static_cast<std::int64_t>(v->size()) == groups);
    };
    if (!fits(scale) || !fits(bias)) return error{short_name(call.op) + " has a scale or bias of another length than channels and groups"};
    const auto at = [&](const std::vector<double>& v, std::int64_t c) {
        return v[static_cast<std::size_t>(static_cast<std::int64_t>(v.size()) == channels ? c : c / per_group)];
    };
    const double epsilon = read<group_normalization_attributes>(call).epsilon;
    tensor result(data.element(), data.extents());
    if (!result.ok()) return no_memory(call, data.type());
    const bool known = visit_element_type(floating_scalars(), data.element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        if (data.count() == 0) return;
        for (std::int64_t g = 0; g < data.extents()[0] * groups; ++g) {
            const T* const x = data.as<T>().data() + g * per_group * inner;
            T* const y = result.as<T>().data() + g * per_group * inner;
            const moments m = moments::of(x, per_group * inner);
            for (std::int64_t k = 0; k < per_group; ++k) {
                const std::int64_t c = g % groups * per_group + k;
                scale_row(x + k * inner, y + k * inner, inner, m.mean, at(*scale, c) / std::sqrt(m.variance + epsilon), at(*bias, c));
            }
        }
    });
    if (!known) return no_loop(call, data.element());
    return std::vector<tensor>{std::move(result)};
}

inline outcome<std::vector<tensor>> evaluate_instance_normalization(const call_view& call, std::span<const tensor> operands) {
    return normalize_groups(call, operands, operands[0].extents()[1]);
}
inline outcome<std::vector<tensor>> evaluate_group_normalization(const call_view& call, std::span<const tensor> operands) {
    return normalize_groups(call, operands, read<group_normalization_attributes>(call).num_groups);
}

// LayerNormalization, and RMSNormalization, which leaves the mean alone.

/// Over the axes from `axis` on; outputs beyond the first are statistics, with 1 in place of those axes.
inline outcome<node_type> infer_layer_normalization(const call_view& call) {
    const bool has_mean = call.op == "onnx.LayerNormalization";
    if (auto wrong = wrong_arity(call, 2, has_mean ? 3 : 2)) return std::move(*wrong);
    for (std::size_t i = 0; i < call.arity(); ++i)
        if (auto wrong = wrong_element(call, i, elements(floating_scalars()))) return std::move(*wrong);
    const tensor_type& data = call.type(0);
    const std::int64_t attribute = read<layer_normalization_attributes>(call).axis;
    std::optional<std::size_t> axis;
    if (data.ranked) {
        axis = axis_of(attribute, data.rank());
        if (!axis) return no_such_axis(call, attribute, data.rank());
        for (std::size_t i = 1; i < call.arity(); ++i) {
            if (!call.has(i) || !call.type(i).ranked) continue;
            const shape rows(data.extents.begin() + static_cast<std::ptrdiff_t>(*axis), data.extents.end());
            const auto met = stretched_shape(rows, call.type(i).extents);
            if (!met || met->size() != rows.size())
                return error{short_name(call.op) + " cannot stretch operand " + std::to_string(i) + " of type " + to_string(call.type(i)) +
                             " to the normalised axes of " + to_string(data)};
        }
    }
    if (call.outputs <= 1) return node_type(data);
    if (!has_mean || call.outputs > 3) return error{short_name(call.op) + " has no " + std::to_string(call.outputs) + " outputs"};
    tensor_type statistic(data.element == element_type::float64 ? element_type::float64
                          : data.element == element_type::none  ? data.element
                                                                : element_type::float32);
    if (data.ranked) {
        shape extents = data.extents;
        std::fill(extents.begin() + static_cast<std::ptrdiff_t>(*axis), extents.end(), extent(1));
        statistic = tensor_type(statistic.element, std::move(extents));
    }
    std::vector<node_type> fields(call.outputs, node_type(statistic));
    fields[0] = node_type(data);
    return node_type::tuple(std::move(fields));
}

inline outcome<std::vector<tensor>> evaluate_layer_normalization(const call_view& call, std::span<const tensor> operands) {
    const tensor& data = operands[0];
    const bool has_mean = call.op == "onnx.LayerNormalization";
    const auto axis = axis_of(read<layer_normalization_attributes>(call).axis, data.rank());
    if (!axis) return no_such_axis(call, read<layer_normalization_attributes>(call).axis, data.rank());
    const std::int64_t rows = extent_product(data.extents(), 0, *axis), length = extent_product(data.extents(), *axis, data.rank());
    // Scale and bias, stretched over one row.
    const std::vector<std::int64_t> row(data.extents().begin() + static_cast<std::ptrdiff_t>(*axis), data.extents().end());
    std::vector<std::vector<double>> stretched;
    for (std::size_t i = 1; i < 3; ++i) {
        stretched.emplace_back(static_cast<std::size_t>(length), i == 1 ? 1.0 : 0.0);
        if (i >= operands.size() || !operands[i].ok()) continue;
        const auto wide = convert_elements(operands[i], element_type::float64);
        const auto met = stretched_shape(row, operands[i].extents());
        if (!wide || !met || *met != row) return error{short_name(call.op) + " has a scale or bias that does not fit the normalised axes"};
        tensor whole(element_type::float64, row);
        if (!whole.ok()) return no_memory(call, data.type());
        for_each_row(whole, std::span<const tensor>(&*wide, 1),
                     [](std::size_t count, std::byte* to, const std::byte* const* in, const std::ptrdiff_t* step, const double*) {
                         for (std::size_t k = 0; k < count; ++k)
                             reinterpret_cast<double*>(to)[k] =
                                 *reinterpret_cast<const double*>(in[0] + static_cast<std::ptrdiff_t>(k) * step[0]);
                     });
        stretched.back().assign(whole.as<double>().begin(), whole.as<double>().end());
    }
    const double epsilon = read<layer_normalization_attributes>(call).epsilon;
    tensor result(data.element(), data.extents()), mean(element_type::float64, {rows}), deviation(element_type::float64, {rows});
    if (!result.ok() || !mean.ok() || !deviation.ok()) return no_memory(call, data.type());
    const bool known = visit_element_type(floating_scalars(), data.element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        for (std::int64_t r = 0; r < rows; ++r) {
            const T* const x = data.as<T>().data() + r * length;
            T* const y = result.as<T>().data() + r * length;
            moments m = moments::of(x, length);
            if (!has_mean) m = {0, m.variance + m.mean * m.mean};
            const double factor = 1 / std::sqrt(m.variance + epsilon);
            for (std::int64_t i = 0; i < length; ++i) {
                const auto k = static_cast<std::size_t>(i);
                y[i] = static_cast<T>((static_cast<double>(x[i]) - m.mean) * factor * stretched[0][k] + stretched[1][k]);
            }
            mean.as<double>()[static_cast<std::size_t>(r)] = m.mean;
            deviation.as<double>()[static_cast<std::size_t>(r)] = factor;
        }
    });
    if (!known) return no_loop(call, data.element());
    std::vector<tensor> results{std::move(result)};
    std::vector<std::int64_t> kept = data.extents();
    std::fill(kept.begin() + static_cast<std::ptrdiff_t>(*axis), kept.end(), 1);
    for (std::size_t i = 1; i < call.outputs; ++i) {
        auto narrow = convert_elements(i == 1 ? mean : deviation,
                                       data.element() == element_type::float64 ? element_type::float64 : element_type::float32);
        if (!narrow) return no_memory(call, data.type());
        results.push_back(narrow->reshaped(kept));
    }
    return results;
}

inline op_work work_normalization(const call_view& call, const node_type& result) {
    const node_type& data = result.is_tuple() ? result.fields[0] : result;
    return {8 * elements_of(data.of_tensor), bytes_moved(call, result)};
}
/// With statistics that are given, a product and a sum per element.
inline op_work work_batch_normalization(const call_view& call, const node_type& result) {
    const node_type& data = result.is_tuple() ? result.fields[0] : result;
    return {(read<batch_normalization_attributes>(call).training_mode ? 8.0 : 2.0) * elements_of(data.of_tensor),
            bytes_moved(call, result)};
}

}  // namespace detail

/// Normalisations with scale and bias.
template <class = void>
struct onnx_normalizations {
    static constexpr auto table = with_attributes<batch_normalization_attributes, group_normalization_attributes,
                                                  instance_normalization_attributes, layer_normalization_attributes>({
        {"onnx.BatchNormalization", op_kind::broadcast, detail::infer_batch_normalization, detail::evaluate_batch_normalization,
         detail::work_batch_normalization},
        {"onnx.GroupNormalization", op_kind::reduction, detail::infer_group_normalization, detail::evaluate_group_normalization,
         detail::work_normalization},
        {"onnx.InstanceNormalization", op_kind::reduction, detail::infer_instance_normalization, detail::evaluate_instance_normalization,
         detail::work_normalization},
        {"onnx.LayerNormalization", op_kind::reduction, detail::infer_layer_normalization, detail::evaluate_layer_normalization,
         detail::work_normalization},
        {"onnx.RMSNormalization", op_kind::reduction, detail::infer_layer_normalization, detail::evaluate_layer_normalization,
         detail::work_normalization},
    });
};

}  // namespace inlay

#endif
