// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/cost/content_key.hpp>

#include <deque>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/cost/machine.hpp>

using namespace inlay;

namespace {

/// A region whose every field can be changed.
struct sample {
    struct value {
        region_value::role kind = region_value::role::absent;
        std::string op;
        std::vector<value_id> operands;
        attribute_map attributes;
        node_type type;
        tensor constant;
        std::uint32_t field = 0;
        node_id origin = 0;
    };
    std::vector<value> values;
    std::size_t inputs = 0, constants = 0;
    std::vector<value_id> results;
    std::vector<format> input_formats, result_formats;
    std::string kind = "onednn", version = "2.6.3", options = "onednn -threads=2";
    std::uint64_t threads = 1;
    machine where{"cpu", 2, {}};

    [[nodiscard]] digest key() const {
        std::vector<region_value> shown;
        for (const value& v : values) {
            region_value s;
            s.kind = v.kind;
            s.op = v.op;
            s.operands = v.operands;
            s.attributes = &v.attributes;
            s.type = &v.type;
            s.value = v.kind == region_value::role::constant ? &v.constant : nullptr;
            s.field = v.field;
            s.origin = v.origin;
            shown.push_back(s);
        }
        const region_view view{shown, inputs, constants, results, input_formats, result_formats};
        return measurement_key(content_key(view, kind, version, options), content_of(where), threads);
    }
};

node_type type(std::vector<std::int64_t> extents) { return tensor_type(element_type::float32, shape(extents.begin(), extents.end())); }

/// Two inputs; weights, a shape, an exponent, an operand left out; conv(x, weights, absent), add(conv, y), reshape(add, shape),
/// pow(conv, exponent), split(pow) and its second output. Leaving: the reshape and the projection.
sample example() {
    using role = region_value::role;
    sample s;
    const format plain = plain_format(element_type::float32), last{{}, layout::channels_last(), element_type::float32};
    const auto constant = [](tensor t) {
        sample::value v{role::constant, "", {}, {}, node_type(t.type()), t, 0, 0};
        return v;
    };
    s.values.push_back({role::input, "", {}, {}, type({1, 3, 8, 8}), {}, 0, 0});
    s.values.push_back({role::input, "", {}, {}, type({1, 4, 8, 8}), {}, 0, 1});
    std::vector<float> weights(4 * 3);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(i);
    s.values.push_back(constant(tensor::of({4, 3, 1, 1}, weights)));
    s.values.push_back(constant(tensor::of({2}, std::vector<std::int64_t>{4, 64})));
    s.values.push_back(constant(tensor::scalar(2.0f)));
    s.values.push_back({role::absent, "", {}, {}, node_type::tuple({}), {}, 0, 5});
    s.values.push_back({role::call, "onnx.Conv", {0, 2, 5}, {{"strides", std::vector<std::int64_t>{1, 1}}}, type({1, 4, 8, 8}), {}, 0, 6});
    s.values.push_back({role::call, "onnx.Add", {6, 1}, {}, type({1, 4, 8, 8}), {}, 0, 7});
    s.values.push_back({role::call, "onnx.Reshape", {7, 3}, {}, type({4, 64}), {}, 0, 8});
    s.values.push_back({role::call, "onnx.Pow", {6, 4}, {}, type({1, 4, 8, 8}), {}, 0, 9});
    s.values.push_back({role::call, "onnx.Split", {9}, {{"axis", std::int64_t{1}}}, node_type::tuple({type({1, 2, 8, 8}), type({1, 2, 8, 8})}), {}, 0, 10});
    s.values.push_back({role::projection, "", {10}, {}, type({1, 2, 8, 8}), {}, 1, 11});
    s.inputs = 2;
    s.constants = 4;
    s.results = {8, 11};
    s.input_formats = {plain, last};
    s.result_formats = {plain, last};
    return s;
}

}  // namespace

TEST_CASE("the key changes with every field that the time depends on, and no two changes collide") {
    const sample original = example();
    std::vector<sample> changed;
    const auto change = [&](auto&& mutate) {
        changed.push_back(original);
        mutate(changed.back());
    };
    change([](sample& s) { s.kind = "xnnpack"; });
    change([](sample& s) { s.version = "2.6.4"; });
    change([](sample& s) { s.options = "onednn"; });
    change([](sample& s) { s.threads = 2; });
    change([](sample& s) { s.where.cpu = "other"; });
    change([](sample& s) { s.where.cores = 4; });
    change([](sample& s) { s.where.features.low = 1; });
    change([](sample& s) { s.values[6].op = "onnx.ConvTranspose"; });
    change([](sample& s) { s.values[6].attributes.set("strides", std::vector<std::int64_t>{2, 2}); });
    change([](sample& s) { s.values[6].attributes.set("group", std::int64_t{1}); });
    change([](sample& s) { s.values[6].attributes.erase("strides"); });
    change([](sample& s) { s.values[10].attributes.set("axis", 1.0); });
    change([](sample& s) { s.values[0].type = type({1, 3, 8, 9}); });
    change([](sample& s) { s.values[0].type = type({1, 3, 64}); });
    change([](sample& s) { s.values[0].type.of_tensor.element = element_type::float16; });
    change([](sample& s) { s.values[10].type.fields[1] = type({1, 3, 8, 8}); });
    change([](sample& s) { s.values[2].type = type({4, 3, 3, 3}); });
    change([](sample& s) { s.values[7].operands = {1, 6}; });
    change([](sample& s) { s.values[7].operands = {6, 6}; });
    change([](sample& s) { s.values[6].operands = {0, 2}; });
    change([](sample& s) { s.values[3].constant = tensor::of({2}, std::vector<std::int64_t>{64, 4}); });
    change([](sample& s) { s.values[4].constant = tensor::scalar(3.0f); });
    change([](sample& s) { s.values[11].field = 0; });
    change([](sample& s) { s.input_formats[0].order = layout::channels_last(); });
    change([](sample& s) { s.input_formats[1].order = layout::channels_blocked(8); });
    change([](sample& s) { s.input_formats[1].order = layout::channels_blocked(16); });
    change([](sample& s) { s.input_formats[1].element = element_type::float16; });
    change([](sample& s) { s.input_formats[1].scope.device = device_type::cuda; });
    change([](sample& s) { s.input_formats[1].scope.number = 1; });
    change([](sample& s) { s.result_formats[0].order = layout::channels_last(); });
    change([](sample& s) { s.result_formats[1].order = layout::plain(); });
    change([](sample& s) { s.input_formats.clear(); });
    change([](sample& s) { s.result_formats.clear(); });
    change([](sample& s) { s.results = {8, 9, 11}; });
    change([](sample& s) { s.results = {11, 8}; });
    change([](sample& s) { s.results = {8, 10}; });
    std::set<digest> keys{original.key()};
    for (std::size_t i = 0; i < changed.size(); ++i) {
        CAPTURE(i);
        CHECK(keys.insert(changed[i].key()).second);
    }
}

TEST_CASE("the key keeps still when a name, a node's number or a weight changes") {
    const sample original = example();
    sample s = original;
    for (auto& v : s.values) v.origin += 1000;
    CHECK(s.key() == original.key());
    s.values[2].constant = tensor::of({4, 3, 1, 1}, std::vector<float>(12, 0.5f));
    CHECK(s.key() == original.key());
}

TEST_CASE("the key keeps still when independent values are numbered otherwise") {
    CHECK(rc::check("random renumbering", [] {
        const sample original = example();
        // Any order that keeps inputs, then constants, then calls with operands first.
        std::vector<value_id> order;
        std::vector<bool> placed(original.values.size(), false);
        const auto group = [&](std::size_t first, std::size_t last) {
            for (std::size_t left = last - first; left > 0; --left) {
                std::vector<value_id> ready;
                for (std::size_t v = first; v < last; ++v) {
                    bool good = !placed[v];
                    for (const value_id o : original.values[v].operands) good = good && placed[o];
                    if (good) ready.push_back(static_cast<value_id>(v));
                }
                const value_id next = *rc::gen::elementOf(ready);
                placed[next] = true;
                order.push_back(next);
            }
        };
        group(0, 2);
        group(2, 6);
        group(6, original.values.size());
        std::vector<value_id> now(order.size());
        for (value_id i = 0; i < order.size(); ++i) now[order[i]] = i;
        sample s = original;
        for (value_id i = 0; i < order.size(); ++i) {
            s.values[i] = original.values[order[i]];
            for (value_id& o : s.values[i].operands) o = now[o];
            if (i < 2) s.input_formats[i] = original.input_formats[order[i]];
        }
        for (value_id& r : s.results) r = now[r];
        RC_ASSERT(s.key() == original.key());
    }));
}

TEST_CASE("conversions have keys of type, formats and version") {
    const format plain = plain_format(element_type::float32), last{{}, layout::channels_last(), element_type::float32};
    const tensor_type t(element_type::float32, {1, 2, 3}), u(element_type::float32, {1, 3, 2});
    const std::set<digest> keys{content_key(t, plain, last), content_key(t, last, plain), content_key(u, plain, last), content_key(t, plain, plain),
                                content_key(t, plain, last, "2")};
    CHECK(keys.size() == 5);
    CHECK(content_key(t, plain, last) == content_key(tensor_type(element_type::float32, {1, 2, 3}), plain, last));
    CHECK(measurement_key({1, 2}, {3, 4}, 1, {1, 1}) != measurement_key({1, 2}, {3, 4}, 1));
}

TEST_CASE("small integers and single numbers matter by value, weights do not") {
    CHECK(value_matters(tensor(element_type::int64, {4})));
    CHECK(value_matters(tensor(element_type::boolean, {4})));
    CHECK(value_matters(tensor(element_type::float32, {})));
    CHECK(value_matters(tensor(element_type::float32, {1, 1})));
    CHECK_FALSE(value_matters(tensor(element_type::float32, {2})));
    CHECK_FALSE(value_matters(tensor(element_type::int8, {1025})));
}
