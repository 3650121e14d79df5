// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/target/target_schema.hpp>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "sample_targets.hpp"

using namespace inlay;

TEST_CASE("a type's schema has all that it declares") {
    const target_schema s = schema_of<sample_accel>();
    CHECK(s.kind == "accel");
    CHECK(s.device == device_type::ext_dev);
    CHECK(s.refines == "ext_dev");
    CHECK_FALSE(s.is_plain());
    CHECK(s.keys == std::vector<std::string>{"npu"});
    REQUIRE(s.options.size() == 7);
    CHECK(s.options[0] == option_schema{"rows", "of the array", std::int64_t{16}, {INT32_MIN, INT32_MAX}});
    CHECK(s.find("level")->range == integer_range{0, 255});
    CHECK(s.find("sizes")->type() == option_type::integers);
    CHECK(s.find("colour") == nullptr);
    CHECK_FALSE(bool(s.check));
    CHECK(schema_of<llvm_target>().is_plain());
    CHECK(schema_of<cuda_target>().keys == std::vector<std::string>{"cuda", "gpu"});
}

TEST_CASE("an instance of a type becomes a value and comes back [target.instance.type]") {
    CHECK(rc::check([] {
        const sample_accel from = *sample_accels();
        const target_instance value = instance_of(from);
        RC_ASSERT(target_text(value) == target_text(from));
        const sample_accel to = configured<sample_accel>(value);
        sample_accel::options::for_each([&](auto o) { RC_ASSERT(inlay::same_value(o.value(to), o.value(from))); });
        RC_ASSERT(instance_of(to) == value);
    }));
    CHECK(instance_of(sample_accel()) == schema_of<sample_accel>().bare());
}

TEST_CASE("options keep one form: the schema's order, without what is the default") {
    const target_schema s = schema_of<sample_accel>();
    target_instance t = s.bare();
    s.set(t, "level", std::int64_t{9});
    s.set(t, "rows", std::int64_t{8});
    CHECK(target_text(t) == "accel -rows=8 -level=9");
    CHECK(std::get<std::int64_t>(s.value(t, "rows")) == 8);
    CHECK(std::get<std::string>(s.value(t, "name")) == "first");
    s.set(t, "level", std::int64_t{3});
    s.set(t, "rows", std::int64_t{16});
    CHECK(t == s.bare());
    CHECK(s.keys_of(t) == std::vector<std::string>{"npu"});
    t.keys = {"big"};
    CHECK(s.keys_of(t) == t.keys);
}

TEST_CASE("an option of a value is set from one argument of a command line, and checked [target.option.set]") {
    const target_schema accel = schema_of<sample_accel>(), cuda = schema_of<cuda_target>();
    target_instance t = accel.bare(), gpu = cuda.bare();
    const auto refusal = [](target_instance& of, const target_schema& schema, const char* name, const char* text) {
        const auto done = set_option(of, schema, name, text);
        return done ? std::string() : done.failure().message;
    };
    CHECK(set_option(t, accel, "name", "it's, a").has_value());
    CHECK(target_text(t) == "accel -name='it\\'s, a'");
    CHECK(refusal(t, accel, "level", "300") == "option '-level' of target 'accel' takes a value of type int from 0 to 255, not '300'");
    CHECK(refusal(t, accel, "nmae", "x") == "target 'accel' has no option 'nmae' (did you mean 'name'?)");
    CHECK(refusal(gpu, cuda, "arch", "80") == "option '-arch' of target 'cuda' takes 'sm_' and digits, as 'sm_80', not '80'");
    CHECK(gpu == cuda.bare());
}

TEST_CASE("known kinds are a value: each once, with names that need no quotes [target.schema.known]") {
    target_schemas known = sample_schemas();
    std::vector<std::string_view> first = known.kinds();
    first.resize(first.size() - device_kinds.size());
    CHECK(first == std::vector<std::string_view>{"accel", "cpu_simd", "cutlass", "tensorrt", "cublas", "llvm", "c", "cuda", "ext_dev"});
    const auto refused = [&](target_schema s) {
        const target_schemas before = known;
        const auto added = known.add(std::move(s));
        CHECK(known == before);
        return added ? std::string() : added.failure().message;
    };
    CHECK(refused({"accel", device_type::cpu}) == "there is a target of kind 'accel' already; give one of them another name");
    for (const char* kind : {"", "a b", "-a", "a,b", "a'"})
        CHECK(refused({kind, device_type::cpu}).find("a kind is named with letters") == 0);
    const auto with_option = [&](const char* name) {
        return refused({"own", device_type::cpu, {}, {}, {{"a", "", true}, {name, "", true}}});
    };
    CHECK(with_option("a") == "option 'a' of target 'own' is declared twice");
    CHECK(with_option("keys") == "option 'keys' of target 'own' has a name that means the same for every target; give it another");
    CHECK(with_option("a=b") == "option 'a=b' of target 'own' is not named with letters, digits, '_', '.' and '-'");
    CHECK(known.add({"own", device_type::cpu}).has_value());
    REQUIRE(known.find("own") != nullptr);
    CHECK(known.find("own")->is_plain());
    CHECK(known.find("other") == nullptr);
}
