// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/post_ops.hpp>

#include <limits>

#include <doctest/doctest.h>

using namespace inlay::detail;

TEST_CASE("functions and combinations have the library's names and finite parameters") {
    using form = elementwise_function::form;
    CHECK(onednn_eltwise::of({form::log}).function == dnnl::algorithm::eltwise_log);
    CHECK(onednn_eltwise::of({form::sigmoid}).function == dnnl::algorithm::eltwise_logistic);
    const onednn_eltwise clip = onednn_eltwise::of({form::clip, 0, elementwise_function::infinity});
    CHECK(clip.function == dnnl::algorithm::eltwise_clip);
    CHECK(clip.beta == std::numeric_limits<float>::max());
    CHECK(onednn_eltwise::of({form::swish}).alpha == 1);
    CHECK(onednn_eltwise::of({form::softplus}).alpha == 1);
    CHECK(onednn_eltwise::of({form::hard_swish, 1.0 / 6, 0.5}).beta == 0.5f);
    CHECK(onednn_binary(chain_step::combination::divide) == dnnl::algorithm::binary_div);
}

TEST_CASE("steps are appended in order") {
    dnnl::post_ops after;
    onednn_append(after, chain_step{}, onednn_plain({2}));
    onednn_append(after, chain_step{chain_step::form::combine}, onednn_plain({2}));
    REQUIRE(after.len() == 2);
    CHECK(after.kind(0) == dnnl::primitive::kind::eltwise);
    CHECK(after.kind(1) == dnnl::primitive::kind::binary);
}
