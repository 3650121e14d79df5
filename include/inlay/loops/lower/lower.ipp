// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_LOWER_IPP
#define INLAY_LOOPS_LOWER_LOWER_IPP

#include <span>
#include <string_view>

#include <inlay/loops/lower/elementwise.hpp>
#include <inlay/loops/lower/generation.hpp>
#include <inlay/loops/lower/lower.hpp>
#include <inlay/loops/lower/lowered_call.hpp>
#include <inlay/loops/lower/movement.hpp>
#include <inlay/loops/lower/normalizations.hpp>
#include <inlay/loops/lower/products.hpp>
#include <inlay/loops/lower/quantization.hpp>
#include <inlay/loops/lower/reductions.hpp>
#include <inlay/loops/lower/resizing.hpp>
#include <inlay/loops/lower/windows.hpp>

namespace inlay {

const lowering_entry* lowering_of(std::string_view op) {
    const lowering_entry* found = nullptr;
    const auto look = [&](std::span<const lowering_entry> table) {
        for (const lowering_entry& e : table)
            if (e.op == op) found = &e;
    };
    look(detail::elementwise_lowerings);
    look(detail::generation_lowerings);
    look(detail::movement_lowerings);
    look(detail::normalization_lowerings);
    look(detail::product_lowerings);
    look(detail::quantization_lowerings);
    look(detail::reduction_lowerings);
    look(detail::resizing_lowerings);
    look(detail::window_lowerings);
    return found;
}

}  // namespace inlay

#endif
