// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDNN_SOFTMAX_HPP
#define INLAY_BACKEND_CUDNN_SOFTMAX_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/cuda/library_object.hpp>
#include <inlay/backend/cudnn/cudnn_library.hpp>
#include <inlay/backend/cudnn/cudnn_session.hpp>
#include <inlay/backend/cudnn/cudnn_shape.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/ops/attributes/normalization_attributes.hpp>
#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// A softmax as cuDNN is told of it: over the second axis, with what stands before and behind as one axis each.
struct softmax_layout {
    cudnn_shape shape;
    int algorithm = 0;

    friend bool operator==(const softmax_layout&, const softmax_layout&) = default;
};

/// A softmax by cuDNN. Addresses that it gets are the device's.
class cudnn_normalisation : public started_on_cuda<cudnn_normalisation> {
public:
    /// Error: what the library says.
    [[nodiscard]] static outcome<kernel> make(const cudnn_session& session, const softmax_layout& s) {
        cudnn_normalisation made(session, s.algorithm);
        const int wrong = session.call([&](const cudnn_library&, void*) { return session.describe(made.tensor_, s.shape); });
        if (wrong != 0) return error{"NVIDIA's cuDNN does not take the softmax: " + session.library().said(wrong)};
        return kernel(std::move(made));
    }

    [[nodiscard]] bool start(const run_arguments& a) const {
        const float one = 1, none = 0;
        return session_.start([&](const cudnn_library& l, void* h) {
            return l.softmax(h, algorithm_, l.softmax_of_channels, &one, tensor_.get(), a.inputs[0], &none, tensor_.get(), a.results[0]);
        });
    }

private:
    cudnn_normalisation(const cudnn_session& session, int algorithm) : session_(session), algorithm_(algorithm) {}

    cudnn_session session_;
    library_object tensor_;
    int algorithm_;
};

/// Softmax and its logarithm along one axis. Models an entry: the third part of composites.
struct cudnn_softmax {
    using plan = softmax_layout;

    static constexpr auto pattern_of_softmax() { return dsl::call_on<1, "onnx.Softmax", "onnx.LogSoftmax">(dsl::any); }

    /// Reads a region. Error: another region, or more elements than the library counts.
    [[nodiscard]] static outcome<plan> read_region(const region_view& r) {
        constexpr std::size_t axes_allowed = 8;
        if (auto fine = check_one_call(r, axes_allowed, "softmax"); !fine) return fine.failure();
        const region_value& c = r[r.results[0]];
        const std::vector<std::int64_t> extents = static_shape(r.type(r.results[0]));
        const auto rank = static_cast<std::int64_t>(extents.size());
        std::int64_t axis = inlay::read<softmax_attributes>(*c.attributes).axis;
        if (axis < 0) axis += rank;
        if (axis < 0 || axis >= rank) return error{"axis " + std::to_string(axis) + " is none of the " + std::to_string(rank) + " axes"};
        std::vector<std::int64_t> three(3, 1);
        for (std::int64_t i = 0; i < rank; ++i) three[i < axis ? 0 : i == axis ? 1 : 2] *= extents[static_cast<std::size_t>(i)];
        const auto shape = cudnn_shape::of(three);
        if (!shape) return shape.failure();
        return plan{*shape, c.op == "onnx.LogSoftmax" ? cudnn_library::softmax_logarithm : cudnn_library::softmax_accurate};
    }

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B&, const Match& m) const {
        return read_region(m.region());
    }
    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        const auto session = self.session_for(r);
        return session ? cudnn_normalisation::make(*session, p) : session.failure();
    }
};

}  // namespace inlay::detail

#endif
