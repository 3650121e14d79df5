// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/dropout_effect.hpp>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

tensor truth(bool v) {
    tensor t(element_type::boolean, {});
    t.as<bool>()[0] = v;
    return t;
}

}  // namespace

TEST_CASE("a dropout in training mode keeps every element if its ratio is 0 [ops.dropout.ratio-zero]") {
    const tensor yes = truth(true), zero = tensor::scalar(0.0f), half = tensor::scalar(0.5), wide = tensor::scalar(0.0);
    CHECK(effect_of_dropout({true, &zero}, {true, &yes}) == dropout_effect::keeps);
    CHECK(effect_of_dropout({true, &wide}, {true, nullptr}) == dropout_effect::keeps);
    CHECK(effect_of_dropout({true, &half}, {true, &yes}) == dropout_effect::drops);
}

TEST_CASE("a dropout keeps every element outside of training, and drops half of them by default") {
    const tensor yes = truth(true), no = truth(false), half = tensor::scalar(0.5f);
    CHECK(effect_of_dropout({}, {}) == dropout_effect::keeps);
    CHECK(effect_of_dropout({true, &half}, {}) == dropout_effect::keeps);
    CHECK(effect_of_dropout({true, &half}, {true, &no}) == dropout_effect::keeps);
    CHECK(effect_of_dropout({}, {true, &yes}) == dropout_effect::drops);
    CHECK(effect_of_dropout({true, nullptr}, {true, &yes}) == dropout_effect::unknown);
    CHECK(effect_of_dropout({true, &half}, {true, nullptr}) == dropout_effect::unknown);
}
