// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/content_key.hpp>

#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/cost/machine.hpp>

#include "cost/sample_region.hpp"

using namespace inlay;

namespace {

/// A sample region with all else that a key is made of.
struct keyed_region : sample::sample_region {
    std::string kind = "onednn", version = "2.6.3", options = "onednn -threads=2";
    std::uint64_t threads = 1;
    machine where{"cpu", 2, {}, "12.2.0", 0};

    [[nodiscard]] digest key() const { return measurement_key(content_key(view(), kind, version, options), content_of(where), threads); }
};

keyed_region example() { return {sample::example()}; }
using sample::type;

}  // namespace

TEST_CASE("the key changes with every field that the time depends on, and no two changes collide") {
    const keyed_region original = example();
    std::vector<keyed_region> changed;
    const auto change = [&](auto&& mutate) {
        changed.push_back(original);
        mutate(changed.back());
    };
    change([](keyed_region& s) { s.kind = "xnnpack"; });
    change([](keyed_region& s) { s.version = "2.6.4"; });
    change([](keyed_region& s) { s.options = "onednn"; });
    change([](keyed_region& s) { s.threads = 2; });
    change([](keyed_region& s) { s.where.cpu = "other"; });
    change([](keyed_region& s) { s.where.cores = 4; });
    change([](keyed_region& s) { s.where.compiler = "14.2.0"; });
    change([](keyed_region& s) { s.where.features.low = 1; });
    change([](keyed_region& s) { s.values[6].op = "onnx.ConvTranspose"; });
    change([](keyed_region& s) { s.values[6].attributes.set("strides", std::vector<std::int64_t>{2, 2}); });
    change([](keyed_region& s) { s.values[6].attributes.set("group", std::int64_t{1}); });
    change([](keyed_region& s) { s.values[6].attributes.erase("strides"); });
    change([](keyed_region& s) { s.values[10].attributes.set("axis", 1.0); });
    change([](keyed_region& s) { s.values[0].type = type({1, 3, 8, 9}); });
    change([](keyed_region& s) { s.values[0].type = type({1, 3, 64}); });
    change([](keyed_region& s) { s.values[0].type.of_tensor.element = element_type::float16; });
    change([](keyed_region& s) { s.values[10].type.fields[1] = type({1, 3, 8, 8}); });
    change([](keyed_region& s) { s.values[2].type = type({4, 3, 3, 3}); });
    change([](keyed_region& s) { s.values[7].operands = {1, 6}; });
    change([](keyed_region& s) { s.values[7].operands = {6, 6}; });
    change([](keyed_region& s) { s.values[6].operands = {0, 2}; });
    change([](keyed_region& s) { s.values[3].constant = tensor::of({2}, std::vector<std::int64_t>{64, 4}); });
    change([](keyed_region& s) { s.values[4].constant = tensor::scalar(3.0f); });
    change([](keyed_region& s) { s.values[11].field = 0; });
    change([](keyed_region& s) { s.input_formats[0].order = layout::channels_last(); });
    change([](keyed_region& s) { s.input_formats[1].order = layout::channels_blocked(8); });
    change([](keyed_region& s) { s.input_formats[1].order = layout::channels_blocked(16); });
    change([](keyed_region& s) { s.input_formats[1].element = element_type::float16; });
    change([](keyed_region& s) { s.input_formats[1].scope.device = device_type::cuda; });
    change([](keyed_region& s) { s.input_formats[1].scope.number = 1; });
    change([](keyed_region& s) { s.result_formats[0].order = layout::channels_last(); });
    change([](keyed_region& s) { s.result_formats[1].order = layout::plain(); });
    change([](keyed_region& s) { s.input_formats.clear(); });
    change([](keyed_region& s) { s.result_formats.clear(); });
    change([](keyed_region& s) { s.results = {8, 9, 11}; });
    change([](keyed_region& s) { s.results = {11, 8}; });
    change([](keyed_region& s) { s.results = {8, 10}; });
    std::set<digest> keys{original.key()};
    for (std::size_t i = 0; i < changed.size(); ++i) {
        CAPTURE(i);
        CHECK(keys.insert(changed[i].key()).second);
    }
}

TEST_CASE("the key keeps still when a name, a node's number or a weight changes") {
    const keyed_region original = example();
    keyed_region s = original;
    for (auto& v : s.values) v.origin += 1000;
    CHECK(s.key() == original.key());
    s.values[2].constant = tensor::of({4, 3, 1, 1}, std::vector<float>(12, 0.5f));
    CHECK(s.key() == original.key());
}

TEST_CASE("the key keeps still when independent values are numbered otherwise") {
    CHECK(rc::check("random renumbering", [] {
        const keyed_region original = example();
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
        keyed_region s = original;
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
    const std::set<digest> keys{content_key(t, plain, last), content_key(t, last, plain), content_key(u, plain, last),
                                content_key(t, plain, plain), content_key(t, plain, last, "2")};
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
