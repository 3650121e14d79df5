// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/target/tag_list.hpp>

#include <doctest/doctest.h>

#include <inlay/target/read_target.hpp>

#include "sample_targets.hpp"

using namespace inlay;

TEST_CASE("a tag is looked up anew every time [target.tag.lookup]") {
    tag_list tags;
    REQUIRE(tags.add("nvidia/a100", "cuda -arch=sm_80").has_value());
    auto first = read_target("nvidia/a100", sample_schemas(), tags);
    REQUIRE(first.has_value());
    CHECK(target_text(*first) == "cuda -arch=sm_80 -tag=nvidia/a100");
    REQUIRE(tags.add("nvidia/a100", "cuda -arch=sm_90", tag_override::allowed).has_value());
    CHECK(target_text(*read_target("nvidia/a100", sample_schemas(), tags)) == "cuda -arch=sm_90 -tag=nvidia/a100");
    CHECK(target_text(*first) == "cuda -arch=sm_80 -tag=nvidia/a100");
    CHECK(*read_target(target_text(*first), sample_schemas()) == *first);
}

TEST_CASE("a name that is there already is an error unless that is allowed [target.tag.twice]") {
    tag_list tags;
    REQUIRE(tags.add("board", "accel").has_value());
    const auto again = tags.add("board", "c");
    REQUIRE_FALSE(again.has_value());
    CHECK(again.failure().message ==
          "there is a tag 'board' already; give the new one another name, or allow that it takes the old one's place");
    CHECK(std::get<std::string>(tags.find("board")->meaning) == "accel");
    CHECK(tags.add("board", "c", tag_override::allowed).has_value());
    CHECK(std::get<std::string>(tags.find("board")->meaning) == "c");
    CHECK(tags.all().size() == 1);
}

TEST_CASE("a tag stands for a text or a target, in a list, as a host, or for another tag") {
    tag_list tags;
    target_instance big = schema_of<sample_accel>().bare();
    schema_of<sample_accel>().set(big, "rows", std::int64_t{64});
    REQUIRE(tags.add("big", big).has_value());
    REQUIRE(tags.add("board", "big").has_value());
    REQUIRE(tags.add("server", "llvm -mcpu=skylake").has_value());
    const auto list = read_target_list("board, cuda -host=server", sample_schemas(), tags);
    REQUIRE(list.has_value());
    CHECK(target_text(*list) == "accel -rows=64 -tag=big, cuda -host='llvm -mcpu=skylake -tag=server'");
    CHECK(*read_target_list(target_text(*list), sample_schemas()) == *list);
}

TEST_CASE("what a tag stands for is judged at lookup, and names the tag") {
    tag_list tags;
    REQUIRE(tags.add("bad", "accel -rows=x").has_value());
    REQUIRE(tags.add("two", "accel, llvm").has_value());
    REQUIRE(tags.add("loop", "pool").has_value());
    REQUIRE(tags.add("pool", "loop").has_value());
    const auto refusal = [&](const char* text) { return read_target(text, sample_schemas(), tags).failure().message; };
    CHECK(refusal("bad").find("target text at 0, 'bad': what this tag stands for cannot be read: target text at 6, '-rows=x'") == 0);
    CHECK(refusal("two").find("'accel, llvm' names 2 targets where one is expected") != std::string::npos);
    CHECK(refusal("loop").find("tags and hosts stand in each other more than 8 deep") != std::string::npos);
    CHECK(refusal("bad -rows=2") == "target text at 4, '-rows=2': a tag takes no options; write the target that 'bad' stands for");
}

TEST_CASE("a kind is never taken for a tag, so that what is printed reads back [target.tag.kind-first]") {
    tag_list tags;
    REQUIRE(tags.add("llvm", "c").has_value());
    CHECK(read_target("llvm", sample_schemas(), tags)->kind == "llvm");
}

TEST_CASE("a tag is one word [target.tag.name]") {
    tag_list tags;
    for (const char* name : {"", "a b", "a,b", "'a'", "a\\", "-a", "{a", "[a", "a\tb", "a\x01"})
        CHECK_FALSE(tags.add(name, "c").has_value());
    CHECK(tags.all().empty());
    CHECK(tags.add("nvidia/jetson-orin_2.0", "c").has_value());
}
