// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/plugin/export_backend.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/backend/accel/backend.hpp>
#include <inlay/backend/plugin/checked_table.hpp>
#include <inlay/backend/plugin/loaded_backend.hpp>
#include <inlay/backend/portable_c/backend.hpp>
#include <inlay/backend/reference/backend.hpp>
#include <inlay/candidate/enumerate.hpp>
#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/codegen/list/extended_list.hpp>
#include <inlay/core/executor.hpp>
#include <inlay/cost/job_content.hpp>
#include <inlay/cost/meter.hpp>
#include <inlay/ir/ir_builder.hpp>

using namespace inlay;

namespace {

using interface_list = extended_list<backend_list<>, loaded_backend>;

/// A convolution and what follows it, a product, rows, a cast: something for everybody.
[[nodiscard]] ir_module a_bit_of_all() {
    const auto of = [](std::vector<std::int64_t> extents) {
        std::size_t count = 1;
        for (const std::int64_t e : extents) count *= static_cast<std::size_t>(e);
        std::vector<float> values(count);
        for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>((7 * i) % 23) / 20 - 0.5f;
        return tensor::of(std::move(extents), values);
    };
    ir_builder b;
    b.open_block();
    const tensor_type image(element_type::float32, {1, 6, 8, 8}), flat(element_type::float32, {1, 384}),
        row(element_type::float32, {1, 10});
    const node_id x = b.input("x", tensor_type(element_type::float32, {1, 3, 8, 8}));
    const node_id w = b.constant(of({6, 3, 3, 3}), "w"), bias = b.constant(of({6}), "bias"), v = b.constant(of({384, 10}), "v");
    const node_id conv = b.call("onnx.Conv", {x, w, bias}, {{"pads", std::vector<std::int64_t>{1, 1, 1, 1}}}, image, "conv");
    const node_id relu = b.call("onnx.Relu", {conv}, {}, image, "relu");
    const node_id sum = b.call("onnx.Add", {relu, relu}, {}, image, "sum");
    const node_id line = b.call("onnx.Reshape", {sum, b.constant(tensor::of({2}, std::vector<std::int64_t>{1, 384}))}, {}, flat, "line");
    const node_id product = b.call("onnx.MatMul", {line, v}, {}, row, "product");
    const node_id soft = b.call("onnx.Softmax", {product}, {{"axis", std::int64_t{-1}}}, row, "soft");
    b.declare(b.function(std::span(&x, 1), soft, "main"));
    return b.finish();
}

/// With this option set, if it has a name.
template <class B>
[[nodiscard]] interface_list through_interface(std::string_view option, std::string_view value) {
    auto sound = check_table(exported_table<B>());
    REQUIRE_MESSAGE(sound, sound.failure().message);
    interface_list list;
    REQUIRE(list.add(loaded_backend::of(*std::move(sound), "memory")));
    if (!option.empty()) list.for_each([&](auto& b, std::size_t) { REQUIRE(set_option(b, option, value)); });
    return list;
}

/// What a candidate's code gives for inputs that are the same wherever they are asked for; by result. Empty: it has no code.
template <class List>
[[nodiscard]] std::vector<std::vector<std::byte>> run(const List& list, const candidate& c) {
    const auto code = list.emit(c.backend, composite_job{c.composite, &c.match->plan, c.view()});
    if (!code) return {};
    const region_view r = c.view();
    std::vector<tensor> inputs, results;
    std::vector<const void*> from;
    std::vector<void*> to;
    for (std::size_t i = 0; i < r.input_count; ++i) {
        inputs.emplace_back(r.type(static_cast<value_id>(i)).element, static_shape(r.type(static_cast<value_id>(i))));
        REQUIRE(inputs.back().element() == element_type::float32);
        for (std::size_t e = 0; e < inputs.back().count(); ++e) inputs.back().template as<float>()[e] = static_cast<float>(e % 17) / 8 - 1;
        from.push_back(inputs.back().data());
    }
    for (const value_id v : r.results) {
        results.emplace_back(r.type(v).element, static_shape(r.type(v)));
        to.push_back(results.back().data());
    }
    const tensor workspace(element_type::uint8, {static_cast<std::int64_t>(code->workspace_bytes) + 1});
    serial_executor one;
    REQUIRE((*code)({from.data(), to.data(), const_cast<std::byte*>(workspace.data()), executor_ref(one)}));
    std::vector<std::vector<std::byte>> bytes;
    for (const tensor& t : results) bytes.emplace_back(t.data(), t.data() + t.bytes());
    return bytes;
}

/// Through the interface a back end's composites take what they take in a list, for the same prices, and run to the same bytes.
template <class B>
void is_the_same(std::string_view option = {}, std::string_view value = {}) {
    const ir_module m = a_bit_of_all();
    B instance{};
    if (!option.empty()) REQUIRE(set_option(instance, option, value));
    const backend_list<B> direct(instance);
    const interface_list loaded = through_interface<B>(option, value);
    CHECK(loaded.text(0) == direct.text(0));
    CHECK(loaded.more().front().version() == direct.visit(0, [](const auto& b) { return std::string(b.version()); }));
    candidate_set own = enumerate(m, direct);
    // Rules of partition do not cross.
    std::erase_if(own.candidates, [](const candidate& c) { return c.composite >= B::patterns().size; });
    const candidate_set theirs = enumerate(m, loaded);
    REQUIRE(theirs.candidates.size() == own.candidates.size());
    REQUIRE(!own.candidates.empty());
    std::size_t ran = 0;
    for (std::size_t i = 0; i < own.candidates.size(); ++i) {
        const candidate &a = own.candidates[i], &b = theirs.candidates[i];
        CHECK(a.name == b.name);
        CHECK(a.nodes == b.nodes);
        CHECK(a.formats == b.formats);
        INFO(a.name);
        CHECK(job_content(pricing_job::of(a), direct) == job_content(pricing_job::of(b), loaded));
        const auto price = backend_vtable_of<B>()[a.composite].price(&instance, a.match->plan, a.view());
        const auto other = loaded.more().front().vtable()[b.composite].price(&loaded.more().front(), b.match->plan, b.view());
        REQUIRE(price);
        REQUIRE(other);
        CHECK(*price == *other);
        const auto bytes = run(direct, a);
        CHECK(bytes == run(loaded, b));
        ran += !bytes.empty();
    }
    CHECK(ran != 0);
}

}  // namespace

TEST_CASE("inlay's own back ends are the same through the C interface") {
    SUBCASE("reference") { is_the_same<reference>(); }
    SUBCASE("portable_c") { is_the_same<portable_c>(); }
    SUBCASE("accel") { is_the_same<accel>("element", "float32"); }
}

TEST_CASE("C crosses the interface as it is") {
    const ir_module m = a_bit_of_all();
    accel machine;
    machine.element = "float32";
    const backend_list<accel> direct(machine);
    const interface_list loaded = through_interface<accel>("element", "float32");
    const candidate_set own = enumerate(m, direct), theirs = enumerate(m, loaded);
    std::size_t compared = 0;
    for (std::size_t i = 0; i < own.candidates.size(); ++i) {
        const candidate& c = own.candidates[i];
        const auto part = direct.visit(0, [&](const accel& b) { return b.emit_c(c.view(), "part"); });
        const candidate& d = theirs.candidates[i];
        const auto same = loaded.more().front().emit_c({d.composite, &d.match->plan, d.view()}, "part");
        REQUIRE(part.has_value() == same.has_value());
        if (!part) continue;
        ++compared;
        CHECK(part->text == same->text);
        CHECK(part->headers == same->headers);
        CHECK(part->needs == same->needs);
        CHECK(part->workspace_bytes == same->workspace_bytes);
        REQUIRE(part->constants.size() == same->constants.size());
        for (std::size_t k = 0; k < part->constants.size(); ++k) CHECK(part->constants[k].content() == same->constants[k].content());
    }
    CHECK(compared != 0);
}

TEST_CASE("a table says of a back end what its type says") {
    const inlay_backend& t = *exported_table<portable_c>();
    CHECK(detail::text_in(t.kind) == "portable_c");
    CHECK(t.by_name_only != 0);
    CHECK(static_cast<bool>(t.emit_c));
    CHECK(exported_table<reference>()->by_name_only == 0);
    CHECK(!static_cast<bool>(exported_table<reference>()->emit_c));
    CHECK(!static_cast<bool>(exported_table<reference>()->price));
    CHECK(static_cast<bool>(exported_table<accel>()->price));
    const auto sound = check_table(&t);
    REQUIRE(sound);
    CHECK(sound->schema == schema_of<portable_c>());
}
