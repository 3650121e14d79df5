// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cuda/cuda_model.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("each architecture that has a model is found by its name, with and without its own features") {
    for (const detail::cuda_model& m : detail::cuda_models) CHECK(detail::cuda_model_of(m.arch)->device == m.device);
    CHECK(detail::cuda_model_of("sm_90a")->device == "H100 SXM");
    CHECK(!detail::cuda_model_of("sm_10"));
    CHECK(!detail::cuda_model_of(""));
    CHECK(detail::modelled_archs() == "sm_75, sm_80, sm_86, sm_89, sm_90");
}
