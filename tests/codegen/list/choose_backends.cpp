// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/list/choose_backends.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../../candidate/toy_backends.hpp"

#include <inlay/target/read_target.hpp>

using namespace inlay;

namespace {

/// Stands on `cuda` and looks at its `arch`, which it keeps in an option of its own.
struct looking {
    static constexpr std::string_view kind = "cutlass", refines = "cuda";
    static constexpr device_type device = device_type::cuda;
    std::string arch;
    std::string labels, host, tag;
    int tiles = 1;
    using options = option_list<option<"seen_arch", &looking::arch, "of the plain target">, option<"tiles", &looking::tiles, "how many">>;
    static std::string version() { return "1"; }
    outcome<void> usable() const {
        if (tiles > 9) return error{"it has nine tiles"};
        return {};
    }
    outcome<void> configure(const target_instance& own, const target_instance& plain) {
        if (const option_value* value = plain.find("arch")) arch = std::get<std::string>(*value);
        if (arch == "sm_30") return error{"sm_30 is too old"};
        for (const std::string& key : own.keys) labels += key + ";";
        tag = own.tag;
        host = own.host.empty() ? "" : target_text(own.host.front());
        return {};
    }
    static constexpr auto patterns() { return pattern_table(composite<"any">(dsl::any_call)); }
    std::vector<border_formats> formats(const region_view& r) const { return {plain_borders(r)}; }
    std::optional<double> price(const region_view&) const { return 1.0; }
    outcome<kernel> emit(const region_view&) const { return error{"it only looks"}; }
};

using three = backend_list<toys::chains, looking, toys::rows>;

outcome<configuration> choose(three& list, std::string_view text) {
    const target_schemas known = schemas_of(list);
    auto wanted = read_target_list(text, known);
    REQUIRE_MESSAGE(wanted.has_value(), wanted.failure().message);
    return choose_backends(list, *std::move(wanted), known);
}

}  // namespace

static_assert(sees_targets<looking> && !sees_targets<toys::chains>);

TEST_CASE("back ends take part in the user's order with the user's options, and the last resort always does") {
    three list;
    const auto made = choose(list, "cutlass -tiles=3, chains -threads=2");
    REQUIRE_MESSAGE(made.has_value(), made.failure().message);
    CHECK(list.chosen() == std::vector<std::size_t>{1, 0, 2});
    CHECK(list.text(0) == "chains -threads=2");
    CHECK(list.text(1) == "cutlass -tiles=3");
    CHECK(made->of_kind("llvm") != nullptr);
    three all;
    REQUIRE(choose_backends(all, {}, schemas_of(all)));
    CHECK(all.chosen().size() == 3);
    three alone;
    REQUIRE(choose_backends(alone, *read_target_list("chains", schemas_of(alone)), schemas_of(alone), ""));
    CHECK(alone.chosen() == std::vector<std::size_t>{0});
}

TEST_CASE("a back end sees the plain target that it stands on, and its own keys, tag and host") {
    three list;
    REQUIRE(choose(list, "cuda -arch=sm_80 -compiler=cutlass -keys=fast,new -host='llvm -mcpu=generic'"));
    const auto seen = [&](auto&& use) {
        list.for_each([&]<class B>(const B& b, std::size_t) {
            if constexpr (std::is_same_v<B, looking>) use(b);
        });
    };
    seen([](const looking& b) {
        CHECK(b.arch == "sm_80");
        CHECK(b.labels == "fast;new;");
        CHECK(b.host == "llvm -mcpu=generic");
    });
    CHECK(list.text(1) == "cutlass -seen_arch=sm_80");
    three apart;
    REQUIRE(choose(apart, "cutlass, cuda -arch=sm_90"));
    CHECK(apart.text(1) == "cutlass -seen_arch=sm_90");
    const auto kept = choose(apart, "chains -keys=a,b -tag=mine");
    REQUIRE(kept.has_value());
    CHECK(kept->of_kind("chains")->keys == std::vector<std::string>{"a", "b"});
    CHECK(kept->of_kind("chains")->tag == "mine");
}

TEST_CASE("what cannot be is one sentence, and the list stays as it was") {
    three list;
    const auto fault_of = [&](std::string_view text) {
        const auto made = choose(list, text);
        return made ? std::string() : made.failure().message;
    };
    CHECK(fault_of("cutlass -tiles=10") == "target 'cutlass' cannot run here: it has nine tiles");
    CHECK(fault_of("cuda -arch=sm_30 -compiler=cutlass") == "target 'cutlass' cannot be configured so: sm_30 is too old");
    CHECK(fault_of("llvm -mcpu=x").find("target 'llvm' takes no options here") == 0);
    CHECK(fault_of("ext_dev") == "nothing in this build runs on 'ext_dev'; `inlay targets` lists what there is");
    CHECK(fault_of("chains, chains").find("stands twice") != std::string::npos);
    CHECK(list.chosen() == std::vector<std::size_t>{0, 1, 2});
    CHECK(list.text(1) == "cutlass");
    target_instance unknown;
    unknown.kind = "chain";
    unknown.refines = "llvm";
    CHECK(choose_backends(list, {unknown}, schemas_of(list)).failure().message ==
          "there is no back end 'chain' in this build (did you mean 'chains'?)");
}
