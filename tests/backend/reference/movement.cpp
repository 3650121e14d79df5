// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/movement.hpp>

#include <numeric>

#include "run_region.hpp"

using namespace reference_test;
using on_eigen::movement_operators;

namespace {

/// Checks that element `i` of the result is element `from(index)` of the operand, by its bytes.
template <class T, class F>
void check_moved(const tensor& got, const tensor& x, F from) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < got.count(); ++i) wrong += got.as<T>()[i] == x.as<T>()[from(index_of(i, got.extents()))] ? 0 : 1;
    CHECK(wrong == 0);
}

std::size_t flat(const shape64& index, const shape64& shape) { return stretched(index, shape); }

template <class T>
void check_transposes(unsigned seed, int rounds) {
    seeded random(seed);
    for (int round = 0; round < rounds; ++round) {
        const std::size_t rank = static_cast<std::size_t>(random.integer(0, 5));
        const shape64 shape = random.shape(rank, rank > 3 ? 9 : 45);
        shape64 order(rank), to(rank);
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), random.engine);
        for (std::size_t i = 0; i < rank; ++i) to[i] = shape[static_cast<std::size_t>(order[i])];
        const tensor x = random.integers<T>(shape, 0, 100);
        INFO("transpose of " << to_string(x.type()) << ", seed " << seed << ", round " << round);
        const auto got = run_call(entry(movement_operators, "onnx.Transpose"), {given(x)}, {{"perm", order}}, {type_of<T>(to)})[0];
        check_moved<T>(got, x, [&](const shape64& at) {
            shape64 from(rank);
            for (std::size_t i = 0; i < rank; ++i) from[static_cast<std::size_t>(order[i])] = at[i];
            return flat(from, shape);
        });
    }
}

}  // namespace

TEST_CASE("transposes of any rank and element width move each element to its place") {
    check_transposes<float>(51, 60);
    check_transposes<std::int64_t>(52, 20);
    check_transposes<std::uint8_t>(53, 20);
    check_transposes<std::int16_t>(54, 20);
    const tensor x = seeded(55).floats({3, 5});
    const auto reversed = run_call(entry(movement_operators, "onnx.Transpose"), {given(x)}, {}, {float_type({5, 3})})[0];
    CHECK(reversed.as<float>()[1] == x.as<float>()[5]);
    const tensor large = seeded(56).floats({333, 517});
    const auto turned = run_call(entry(movement_operators, "onnx.Transpose"), {given(large)}, {}, {float_type({517, 333})})[0];
    check_moved<float>(turned, large, [](const shape64& at) { return static_cast<std::size_t>(at[1] * 517 + at[0]); });
}

TEST_CASE("the reshape family gives a view, and copies where the memory plan gave no view") {
    const tensor x = seeded(61).floats({2, 3, 4});
    for (const auto op : {"onnx.Reshape", "onnx.Flatten", "onnx.Squeeze", "onnx.Unsqueeze", "onnx.Identity", "onnx.Dropout"}) {
        const auto got = run_call(entry(movement_operators, op), {given(x)}, {}, {float_type({6, 4})})[0];
        CHECK(std::equal(got.data(), got.data() + got.bytes(), x.data()));
        const kernel k = entry(movement_operators, op).make(site(op, {given(x)}, attribute_map(), {float_type({6, 4})}));
        REQUIRE(k.view_of == std::vector<std::int32_t>{0});
        tensor place = tensor::of({2, 3, 4}, x.as<float>());
        std::vector<const void*> in{place.data()};
        std::vector<void*> out{place.data()};
        run_arguments a;
        a.inputs = in.data();
        a.results = out.data();
        CHECK(k(a));
        CHECK(std::equal(place.data(), place.data() + place.bytes(), x.data()));
    }
    const attribute_map moves_ones{{"perm", shape64{1, 0, 2}}}, moves_more{{"perm", shape64{2, 0, 1}}};
    const auto make = entry(movement_operators, "onnx.Transpose").make;
    const tensor thin = seeded(62).floats({1, 3, 4});
    CHECK(make(site("onnx.Transpose", {given(thin)}, moves_ones, {float_type({3, 1, 4})})).view_of == std::vector<std::int32_t>{0});
    CHECK(make(site("onnx.Transpose", {given(thin)}, moves_more, {float_type({4, 1, 3})})).view_of.empty());
}

TEST_CASE("concat and split are each other's inverse") {
    seeded random(71);
    for (int round = 0; round < 30; ++round) {
        shape64 shape = random.shape(static_cast<std::size_t>(random.integer(1, 4)), 12);
        const auto axis = static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(shape.size()) - 1));
        std::vector<operand> parts;
        std::vector<tensor_type> part_types;
        std::int64_t total = 0;
        for (std::int64_t i = random.integer(1, 5); i > 0; --i) {
            shape64 own = shape;
            own[axis] = random.integer(0, 9);
            total += own[axis];
            parts.push_back(given(random.floats(own)));
            part_types.push_back(parts.back().value.type());
        }
        shape64 whole = shape;
        whole[axis] = total;
        INFO("axis " << axis << " of " << to_string(float_type(whole)) << ", seed 71, round " << round);
        const attribute_map attributes{
            {"axis", static_cast<std::int64_t>(axis) - (random.coin() ? static_cast<std::int64_t>(shape.size()) : 0)}};
        const tensor joined = run_call(entry(movement_operators, "onnx.Concat"), parts, attributes, {float_type(whole)})[0];
        std::int64_t begin = 0;
        for (const operand& part : parts) {
            check_moved<float>(part.value, joined, [&](shape64 at) {
                at[axis] += begin;
                return flat(at, whole);
            });
            begin += part.value.extents()[axis];
        }
        const auto apart = run_call(entry(movement_operators, "onnx.Split"), {given(joined)}, attributes, part_types);
        for (std::size_t i = 0; i < parts.size(); ++i)
            CHECK(std::equal(apart[i].data(), apart[i].data() + apart[i].bytes(), parts[i].value.data()));
    }
}

TEST_CASE("slices go by steps of either sign from starts counted from either end") {
    seeded random(81);
    for (int round = 0; round < 60; ++round) {
        const shape64 shape = random.shape(static_cast<std::size_t>(random.integer(1, 4)), 20);
        shape64 starts, ends, axes, steps, to = shape, first(shape.size(), 0), stride(shape.size(), 1);
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            if (random.coin()) continue;
            const std::int64_t n = shape[axis], step = random.coin() ? random.integer(1, 3) : -random.integer(1, 3);
            const std::int64_t start = random.integer(0, n - 1), end = step > 0 ? random.integer(start, n) : random.integer(-1, start);
            first[axis] = start;
            stride[axis] = step;
            to[axis] = step > 0 ? (end - start + step - 1) / step : (start - end - step - 1) / -step;
            starts.push_back(random.coin() ? start - n : start);
            ends.push_back(end == -1 ? -1000 : end == n ? INT64_MAX : random.coin() && end != 0 ? end - n : end);
            if (step < 0 && end >= 0 && ends.back() < 0) ends.back() = end;
            axes.push_back(random.coin() ? static_cast<std::int64_t>(axis)
                                         : static_cast<std::int64_t>(axis) - static_cast<std::int64_t>(shape.size()));
            steps.push_back(step);
        }
        const tensor x = random.floats(shape);
        INFO("slice of " << to_string(x.type()) << ", seed 81, round " << round);
        const auto got =
            run_call(entry(movement_operators, "onnx.Slice"),
                     {given(x), known(list(starts)), known(list(ends)), known(list(axes)), known(list(steps))}, {}, {float_type(to)})[0];
        check_moved<float>(got, x, [&](const shape64& at) {
            shape64 from(shape.size());
            for (std::size_t i = 0; i < from.size(); ++i) from[i] = first[i] + at[i] * stride[i];
            return flat(from, shape);
        });
    }
}

TEST_CASE("expand and tile repeat, pad surrounds or cuts") {
    seeded random(91);
    const tensor x = random.floats({3, 1, 5});
    check_moved<float>(
        run_call(entry(movement_operators, "onnx.Expand"), {given(x), known(list(shape64{2, 1, 4, 5}))}, {}, {float_type({2, 3, 4, 5})})[0],
        x, [&](const shape64& at) { return static_cast<std::size_t>(at[1] * 5 + at[3]); });
    const tensor y = random.floats({2, 3, 5});
    check_moved<float>(
        run_call(entry(movement_operators, "onnx.Tile"), {given(y), known(list(shape64{2, 1, 3}))}, {}, {float_type({4, 3, 15})})[0], y,
        [&](const shape64& at) { return static_cast<std::size_t>((at[0] % 2 * 3 + at[1]) * 5 + at[2] % 5); });
    for (int round = 0; round < 20; ++round) {
        const shape64 shape{random.integer(3, 9), random.integer(3, 9)};
        shape64 pads, to = shape;
        for (int i = 0; i < 4; ++i) pads.push_back(random.integer(-1, 4));
        for (std::size_t i = 0; i < 2; ++i) to[i] += pads[i] + pads[i + 2];
        const tensor z = random.floats(shape);
        const bool filled = random.coin();
        const auto got = run_call(entry(movement_operators, "onnx.Pad"),
                                  {given(z), known(list(pads)), filled ? given(tensor::scalar(7.0f)) : absent()}, {}, {float_type(to)})[0];
        check_floats(got, [&](std::size_t i) {
            const auto at = index_of(i, to);
            const std::int64_t r = at[0] - pads[0], c = at[1] - pads[1];
            const bool inside = r >= 0 && c >= 0 && r < shape[0] && c < shape[1];
            return inside ? static_cast<double>(z.as<float>()[flat({r, c}, shape)]) : filled ? 7.0 : 0.0;
        });
    }
    const tensor row = random.floats({2, 4});
    check_floats(run_call(entry(movement_operators, "onnx.Pad"),
                          {given(row), known(list(shape64{1, 0})), absent(), known(list(shape64{-1}))}, {}, {float_type({2, 5})})[0],
                 [&](std::size_t i) { return i % 5 == 0 ? 0.0 : static_cast<double>(row.as<float>()[i / 5 * 4 + i % 5 - 1]); });
}

TEST_CASE("gather takes slices along an axis, and fails on an index outside of it") {
    seeded random(101);
    const shape64 shape{4, 6, 5};
    const tensor x = random.floats(shape);
    for (const std::int64_t axis : {0, 1, 2, -1}) {
        const auto a = static_cast<std::size_t>(axis < 0 ? axis + 3 : axis);
        const tensor chosen = random.integers<std::int64_t>({2, 3}, -shape[a], shape[a] - 1);
        shape64 to(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(a));
        to.insert(to.end(), {2, 3});
        to.insert(to.end(), shape.begin() + static_cast<std::ptrdiff_t>(a) + 1, shape.end());
        const auto got =
            run_call(entry(movement_operators, "onnx.Gather"), {given(x), given(chosen)}, {{"axis", axis}}, {float_type(to)})[0];
        check_moved<float>(got, x, [&](const shape64& at) {
            shape64 from(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(a));
            const std::int64_t i = chosen.as<std::int64_t>()[static_cast<std::size_t>(at[a] * 3 + at[a + 1])];
            from.push_back(i < 0 ? i + shape[a] : i);
            from.insert(from.end(), at.begin() + static_cast<std::ptrdiff_t>(a) + 2, at.end());
            return flat(from, shape);
        });
    }
    const tensor outside = list(std::vector<std::int32_t>{0, 4});
    const kernel k = entry(movement_operators, "onnx.Gather")
                         .make(site("onnx.Gather", {given(x), given(outside)}, attribute_map(), {float_type({2, 6, 5})}));
    tensor to(element_type::float32, {2, 6, 5});
    std::vector<const void*> in{x.data(), outside.data()};
    std::vector<void*> out{to.data()};
    run_arguments a;
    a.inputs = in.data();
    a.results = out.data();
    CHECK(!k(a));
}

TEST_CASE("depth goes to space in both modes, and back") {
    seeded random(111);
    const shape64 shape{2, 12, 3, 4};
    const tensor x = random.floats(shape);
    for (const bool crd : {false, true}) {
        const auto got =
            run_call(entry(movement_operators, "onnx.DepthToSpace"), {given(x)},
                     {{"blocksize", std::int64_t{2}}, {"mode", std::string(crd ? "CRD" : "DCR")}}, {float_type({2, 3, 6, 8})})[0];
        check_moved<float>(got, x, [&](const shape64& at) {
            const std::int64_t by = at[2] % 2, bx = at[3] % 2;
            return flat({at[0], crd ? at[1] * 4 + by * 2 + bx : (by * 2 + bx) * 3 + at[1], at[2] / 2, at[3] / 2}, shape);
        });
        const attribute_map there{{"blocksize", std::int64_t{2}}, {"mode", std::string(crd ? "CRD" : "DCR")}};
        const auto back = run_call(entry(movement_operators, "onnx.SpaceToDepth"), {given(got)}, there, {x.type()})[0];
        CHECK(std::equal(back.data(), back.data() + back.bytes(), x.data()));
    }
}

TEST_CASE("what is not known before the run is refused with the reason") {
    const attribute_map none, reflect{{"mode", std::string("reflect")}};
    const tensor x = seeded(1).floats({2, 2}), one = list(shape64{0});
    const auto refuse = [&](std::string_view op, const std::vector<operand>& operands, const attribute_map& attributes) {
        return entry(movement_operators, op).refuse(site(op, operands, attributes, {x.type()}));
    };
    CHECK(refuse("onnx.Slice", {given(x), given(one), known(one)}, none) == "where the slice starts and ends is not known before the run");
    CHECK(refuse("onnx.Slice", {given(x), known(one), known(one), known(one), known(one)}, none) == "a step is 0");
    CHECK(refuse("onnx.Pad", {given(x), known(one)}, reflect) == "the mode of Pad is 'reflect'; the kernel takes constant");
    CHECK(refuse("onnx.Gather", {given(x), given(x)}, none) == "the indices are float32; the kernel takes int64 and int32");
    CHECK(refuse("onnx.Dropout", {given(x), absent(), known(tensor::scalar(true))}, none) == "Dropout may be in training mode");
}
