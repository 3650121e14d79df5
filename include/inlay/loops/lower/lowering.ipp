// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_LOWERING_IPP
#define INLAY_LOOPS_LOWER_LOWERING_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/loops/lower/lowering.hpp>

#include <inlay/graph/tensor_type.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_builder.hpp>
#include <inlay/ops/loops/strides.hpp>

namespace inlay {

lowered_tensor lowering::input(std::string_view name, const tensor_type& type) {
    std::vector<std::int64_t> extents = static_shape(type);
    return in_memory(made_.buffer(buffer_scope::input, name, type.element, extents), extents);
}

lowered_tensor lowering::called(std::string_view function, std::span<const lowered_tensor> operands, std::vector<std::int64_t> extents,
                                element_type element, std::span<const std::int64_t> numbers, std::int64_t scratch) {
    nest_builder declared{std::string(function)};
    std::vector<nest_place> places;
    const auto give = [&](buffer_scope scope, std::string_view name, buffer_id b) {
        const nest_buffer& given = made_.so_far().buffers[b];
        (void)declared.buffer(scope, name, given.element, given.extents, given.strides);
        places.push_back({b, std::vector<affine>(given.extents.size())});
    };
    const auto own = [&](std::string_view name, std::vector<std::int64_t> of) {
        scratch_.push_back(made_.buffer(buffer_scope::scratch, name, element, std::move(of)));
        return scratch_.back();
    };
    for (const lowered_tensor& t : operands)
        give(buffer_scope::input, "x", t.buffer ? *t.buffer : *written(buffer_scope::scratch, "t", t).buffer);
    if (scratch != 0) give(buffer_scope::output, "pad", own("pad", {scratch}));
    const buffer_id to = own("r", extents);
    give(buffer_scope::output, "y", to);
    for (std::size_t i = 0; i < numbers.size(); ++i) (void)declared.variable("n");
    loop_nest f = std::move(declared).finish(0);
    const std::vector<loop_nest>& known = made_.so_far().functions;
    const auto same = std::find(known.begin(), known.end(), f);
    const auto callee = same != known.end() ? static_cast<function_id>(same - known.begin()) : made_.function(std::move(f));
    stages_.push_back(made_.call(callee, std::move(places), {numbers.begin(), numbers.end()}));
    return in_memory(to, std::move(extents));
}

lowered_tensor lowering::viewed(const lowered_tensor& t, std::vector<std::int64_t> extents) {
    std::int64_t count = 1;
    for (const std::int64_t e : t.extents) count *= e;
    const buffer_id flat = made_.buffer(buffer_scope::scratch, "t", t.element, {count});
    scratch_.push_back(flat);
    const std::vector<std::int64_t> from = row_major_strides(t.extents), to = row_major_strides(extents);
    stage(t.extents, [&](const std::vector<affine>& at) { return made_.store(flat, {sum_of(at, from)}, t.read(at)); });
    lowered_tensor made{std::move(extents), t.element, {}};
    made.read = [this, flat, to](const std::vector<affine>& at) { return made_.load(flat, {sum_of(at, to)}); };
    return made;
}

expression_id lowering::number(double value, element_type e) {
    return is_floating(e) ? made_.number(value, e) : made_.integer(static_cast<std::int64_t>(value), e);
}

loop_nest lowering::finish() && {
    statement_id root = made_.block(std::move(stages_));
    for (std::size_t i = scratch_.size(); i-- > 0;) root = made_.allocate(scratch_[i], root);
    return std::move(made_).finish(root);
}

affine lowering::sum_of(const std::vector<affine>& at, const std::vector<std::int64_t>& strides) {
    affine sum;
    for (std::size_t i = 0; i < at.size(); ++i) sum += at[i] * strides[i];
    return sum;
}

lowered_tensor lowering::in_memory(buffer_id b, std::vector<std::int64_t> extents) {
    lowered_tensor made{std::move(extents), made_.so_far().buffers[b].element, {}};
    made.buffer = b;
    made.read = [this, b](const std::vector<affine>& at) { return made_.load(b, at); };
    return made;
}

lowered_tensor lowering::written(buffer_scope scope, std::string_view name, const lowered_tensor& t) {
    const buffer_id to = made_.buffer(scope, name, t.element, t.extents);
    if (scope == buffer_scope::scratch) scratch_.push_back(to);
    stage(t.extents, [&](const std::vector<affine>& at) { return made_.store(to, at, t.read(at)); });
    return in_memory(to, t.extents);
}

}  // namespace inlay

#endif
