// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDNN_POOL_HPP
#define INLAY_BACKEND_CUDNN_POOL_HPP

#include <cstddef>
#include <string>
#include <utility>

#include <inlay/backend/cuda/library_object.hpp>
#include <inlay/backend/cudnn/cudnn_library.hpp>
#include <inlay/backend/cudnn/cudnn_session.hpp>
#include <inlay/backend/cudnn/cudnn_shape.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/backend/pooling.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// A pooling as cuDNN is told of it.
struct pooling_layout {
    cudnn_shape x, y;
    cudnn_window window;
    int mode = 0;

    friend bool operator==(const pooling_layout&, const pooling_layout&) = default;
};

/// A pooling by cuDNN. Addresses that it gets are the device's.
class cudnn_pooling : public started_on_cuda<cudnn_pooling> {
public:
    /// Error: what the library says.
    [[nodiscard]] static outcome<kernel> make(const cudnn_session& session, const pooling_layout& p) {
        cudnn_pooling made(session);
        const int wrong = session.call([&](const cudnn_library& l, void*) {
            int failed = session.describe(made.x_, p.x);
            if (failed == 0) failed = session.describe(made.y_, p.y);
            if (failed == 0) failed = l.create_pooling(made.pooling_.made());
            if (failed != 0) return failed;
            return l.set_pooling(made.pooling_.get(), p.mode, l.nans_pass, p.window.axes(), p.window.kernel.data(), p.window.pads.data(),
                                 p.window.strides.data());
        });
        if (wrong != 0) return error{"NVIDIA's cuDNN does not take the pooling: " + session.library().said(wrong)};
        return kernel(std::move(made));
    }

    [[nodiscard]] bool start(const run_arguments& a) const {
        const float one = 1, none = 0;
        return session_.start([&](const cudnn_library& l, void* h) {
            return l.pool(h, pooling_.get(), &one, x_.get(), a.inputs[0], &none, y_.get(), a.results[0]);
        });
    }

private:
    explicit cudnn_pooling(const cudnn_session& session) : session_(session), pooling_(session.library().destroy_pooling) {}

    cudnn_session session_;
    library_object x_, y_, pooling_;
};

/// Poolings over windows of one to three spatial axes, or over all places. Models an entry: the third part of composites.
struct cudnn_pool {
    using plan = pooling_layout;

    /// Reads a region. Error: another region, or windows that the library does not have.
    [[nodiscard]] static outcome<plan> read_region(const region_view& r) {
        if (auto fine = check_one_call(r, cudnn_library::most_axes, "pooling"); !fine) return fine.failure();
        const auto found = read_pooling(r, r.results[0], 3, cudnn_library::most_axes);
        if (!found) return found.failure();
        for (std::size_t i = 0; i < found->window.kernel.size(); ++i) {
            const std::int64_t before = found->window.begin[i], behind = found->window.end[i];
            if (found->window.dilations[i] != 1) return error{"cuDNN's pooling has no dilation"};
            if (before >= found->window.kernel[i]) return error{"cuDNN's pooling takes fewer pads than its window has places"};
            if (found->counts_pads && before != behind)
                return error{"an average that counts pads of " + std::to_string(before) + " and " + std::to_string(behind) +
                             " places is none of cuDNN's, which has one number for both"};
        }
        const auto window = cudnn_window::of(found->window, found->x_extents, found->y_extents);
        if (!window) return window.failure();
        const auto x = cudnn_shape::of(found->x_extents), y = cudnn_shape::of(found->y_extents);
        if (!x || !y) return (x ? y : x).failure();
        const int mode = !found->average      ? cudnn_library::pool_maximum
                         : found->counts_pads ? cudnn_library::pool_average_with_pads
                                              : cudnn_library::pool_average;
        return plan{*x, *y, *window, mode};
    }

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B&, const Match& m) const {
        return read_region(m.region());
    }
    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        const auto session = self.session_for(r);
        return session ? cudnn_pooling::make(*session, p) : session.failure();
    }
};

}  // namespace inlay::detail

#endif
