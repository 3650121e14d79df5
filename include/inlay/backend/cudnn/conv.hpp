// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDNN_CONV_HPP
#define INLAY_BACKEND_CUDNN_CONV_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <inlay/backend/anchored_convolution.hpp>
#include <inlay/backend/cuda/cuda_model.hpp>
#include <inlay/backend/cuda/cuda_operand.hpp>
#include <inlay/backend/cudnn/cudnn_convolution.hpp>
#include <inlay/backend/cudnn/cudnn_library.hpp>
#include <inlay/backend/cudnn/cudnn_shape.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/cost/roofline.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay::detail {

/// Convolutions of one to three spatial axes with constant weights, and what follows them: a factor and a term for each channel, a tensor
/// of the result's shape, and then a Relu. Models an entry: the third part of composites.
///
/// Whole, it is one call of the library, which has one where a Relu ends it; in steps, each of these is a call of its own. Where there is
/// no Relu the steps are the only form.
template <bool InCalls>
struct cudnn_conv {
    struct plan {
        convolution_layout layout;
        anchored_convolution convolution;
        std::optional<value_id> addend;
        bool has_relu = false;
    };

    /// Reads a region. Error: another region, or something that the library does not compute.
    [[nodiscard]] static outcome<plan> read_region(const region_view& r) {
        if (auto fine = check_float_region(r, cudnn_library::most_axes); !fine) return fine.failure();
        auto found = read_anchored_convolution(r, 3, cudnn_library::most_axes);
        if (!found) return found.failure();
        plan p;
        p.convolution = *std::move(found);
        const anchored_convolution& c = p.convolution;
        if (c.transposed) return error{"a transposed convolution is not asked of cuDNN"};
        for (const chain_step& s : c.after) {
            const std::string op(r[s.call].op);
            if (p.has_relu) return error{op + " behind a Relu is no part of cuDNN's convolution"};
            if (s.kind == chain_step::form::function) {
                if (!is_relu(s.function))
                    return error{op + " behind the convolution is not Relu, the one function that is asked of cuDNN there"};
                p.has_relu = true;
                continue;
            }
            if (s.kind != chain_step::form::combine || s.how != chain_step::combination::add)
                return error{op + " behind the convolution is no part of cuDNN's"};
            if (p.addend) return error{"cuDNN adds one tensor to a convolution, and there are two"};
            const region_value& other = r[s.other];
            if (!other.type->is_tensor() || other.type->of_tensor.element != element_type::float32 ||
                static_shape(other.type->of_tensor) != c.y_extents || static_shape(r.type(s.call)) != c.y_extents)
                return error{"what is added to the convolution, of type " + to_string(*other.type) + ", is not like its result"};
            p.addend = s.other;
        }
        auto layout = layout_of(c);
        if (!layout) return layout.failure();
        p.layout = *std::move(layout);
        return p;
    }

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B&, const Match& m) const {
        auto p = read_region(m.region());
        if (p && !InCalls && !p->has_relu) return error{"cuDNN has a call for all of it where a Relu ends it; this one goes in steps"};
        return p;
    }

    /// By the model, where it is asked for: calls of their own read and write the result once more.
    template <class B>
    [[nodiscard]] std::optional<double> price(const B& self, const plan& p, const region_view& r) const {
        const std::optional<double> whole = self.price(r);
        const auto known = cuda_model_of(self.made_for());
        if (!InCalls || !whole || !known) return whole;
        const int behind = (has_bias(p.convolution) ? 1 : 0) + (p.addend ? 1 : 0) + (p.has_relu ? 1 : 0);
        double bytes = 2 * sizeof(float);
        for (const std::int64_t n : p.convolution.y_extents) bytes *= static_cast<double>(n);
        return *whole + behind * roofline_seconds(0, bytes, known->peaks);
    }

    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        const auto session = self.session_for(r);
        if (!session) return session.failure();
        cudnn_order order;
        order.layout = p.layout;
        order.by_tf32 = self.precision == "tf32";
        order.has_relu = p.has_relu;
        order.is_whole = !InCalls;
        auto x = cuda_operand::of(r, p.convolution.x);
        if (!x) return x.failure();
        order.x = *std::move(x);
        auto weights = cuda_operand::of(tensor::of<float>(p.convolution.weights->extents(), p.convolution.scaled_weights()));
        if (!weights) return weights.failure();
        order.weights = *std::move(weights);
        if (order.is_whole || has_bias(p.convolution)) {
            auto bias = cuda_operand::of(bias_of(p.convolution));
            if (!bias) return bias.failure();
            order.bias = *std::move(bias);
        }
        if (p.addend) {
            auto addend = cuda_operand::of(r, *p.addend);
            if (!addend) return addend.failure();
            order.addend = *std::move(addend);
        }
        return cudnn_convolution::make(*session, std::move(order));
    }

    /// The term of each output channel.
    [[nodiscard]] static tensor bias_of(const anchored_convolution& c) {
        tensor made(element_type::float32, {static_cast<std::int64_t>(c.line.shift.size())});
        const auto to = made.as<float>();
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<float>(c.line.shift[i]);
        return made;
    }

private:
    [[nodiscard]] static bool has_bias(const anchored_convolution& c) {
        return std::any_of(c.line.shift.begin(), c.line.shift.end(), [](double n) { return n != 0; });
    }

    [[nodiscard]] static outcome<convolution_layout> layout_of(const anchored_convolution& c) {
        const auto window = cudnn_window::of(c.window, c.x_extents, c.y_extents);
        if (!window) return window.failure();
        const auto x = cudnn_shape::of(c.x_extents), weights = cudnn_shape::of(c.weights->extents()), y = cudnn_shape::of(c.y_extents);
        for (const auto* shape : {&x, &weights, &y})
            if (!*shape) return shape->failure();
        return convolution_layout{*x, *weights, *y, *window, static_cast<int>(c.groups)};
    }
};

}  // namespace inlay::detail

#endif
