// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/json/target_json.hpp>

#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "target/sample_targets.hpp"

using namespace inlay;

namespace {

/// What a text reads as, printed as a target text; or the error.
std::string read(std::string_view text, const tag_list& tags = {}) {
    const auto list = read_targets(text, sample_schemas(), tags);
    return list ? target_text(*list) : list.failure().message;
}

}  // namespace

TEST_CASE("a target is an object with its kind and typed options [target.json.object]") {
    CHECK(read(R"({"kind": "cuda", "arch": "sm_80", "keys": ["big", "gpu"], "host": {"kind": "llvm"}})") ==
          "cuda -arch=sm_80 -keys=big,gpu -host=llvm");
    CHECK(
        read(
            R"( [{"kind": "accel", "rows": -2, "spin": true, "heat": 2, "name": "", "parts": [], "sizes": [1, -2], "level": 255, "tag": "x"}, "c"])") ==
        "accel -rows=-2 -spin=true -heat=2 -name='' -parts= -sizes=1,-2 -level=255 -tag=x, c");
    CHECK(read("[]").empty());
    CHECK(read("accel -rows=2, c") == "accel -rows=2, c");
}

TEST_CASE("a target in JSON may be a text, a tag or name a compiler [target.json.text]") {
    tag_list tags;
    REQUIRE(tags.add("board", "accel -rows=2").has_value());
    CHECK(read(R"(["board", "cuda -arch=sm_80"])", tags) == "accel -rows=2 -tag=board, cuda -arch=sm_80");
    CHECK(read(R"({"kind": "cuda", "host": "llvm -mcpu=x"})") == "cuda -host='llvm -mcpu=x'");
    CHECK(read(R"({"kind": "cuda", "arch": "sm_80", "compiler": "cutlass", "threads": 2})") == "cuda -arch=sm_80, cutlass -threads=2");
}

TEST_CASE("an object without a kind goes from device types to targets [target.json.by-device]") {
    CHECK(read(R"({"cuda": "cuda -arch=sm_80", "cpu": {"kind": "c"}})") == "c, cuda -arch=sm_80");
    CHECK(read(R"({"1": "llvm", "2": "cuda", "12": "accel"})") == "llvm, accel, cuda");
    CHECK(read(R"({"cpu": "cuda"})") == "targets.cpu must be a target of device type cpu, and 'cuda' is one of cuda");
    CHECK(read(R"({"kid": "cuda"})") == "targets has no key 'kind', and its key 'kid' is no device type either (did you mean 'kind'?)");
}

TEST_CASE("values in JSON have exactly the type of the option [target.json.types]") {
    CHECK(read(R"([{"kind": "cuda", "arch": 80}])") == "targets[0].arch must be a text, and is 80");
    CHECK(read(R"({"kind": "accel", "rows": "2"})") == "targets.rows must be a whole number, and is '2'");
    CHECK(read(R"({"kind": "accel", "rows": 2.5})") == "targets.rows must be a whole number, and is 2.5");
    CHECK(read(R"({"kind": "accel", "rows": true})").find("must be a whole number") != std::string::npos);
    CHECK(read(R"({"kind": "accel", "level": 256})") == "targets.level must be from 0 to 255, and is 256");
    CHECK(read(R"({"kind": "accel", "spin": 1})").find("must be true or false") != std::string::npos);
    CHECK(read(R"({"kind": "accel", "sizes": [1, 40000]})").find("targets.sizes[1] must be from") == 0);
    CHECK(read(R"({"kind": "accel", "parts": "a,b"})").find("targets.parts must be a list") == 0);
    CHECK(read(R"({"kind": "accel", "keys": [1]})") == "targets.keys[0] must be a text, and is 1");
    CHECK(read(R"({"kind": 1})") == "targets.kind must be a text, and is 1");
    CHECK(read("[1]").find("targets[0] must be an object") == 0);
}

TEST_CASE("what is wrong in JSON is told with its path [target.json.errors]") {
    CHECK(read(R"([{"kind": "acel"}])") == "targets[0].kind: there is no target 'acel' (did you mean 'accel'?)");
    CHECK(read(R"({"kind": "accel", "rwos": 1})") == "targets.rwos: target 'accel' has no option 'rwos' (did you mean 'rows'?)");
    CHECK(read(R"({"kind": "cuda", "arch": "80"})") ==
          "targets: option '-arch' of target 'cuda' takes 'sm_' and digits, as 'sm_80', not '80'");
    CHECK(read(R"({"kind": "accel", "features": {}})").find("no option 'features'") != std::string::npos);
    CHECK(read(R"({"kind": "accel", "host": {"kind": "llvm", "host": "c"}})")
              .find("targets.host: the host of target 'accel' has a host itself") == 0);
    CHECK(read(R"(["c, accel -host=lvm"])").find("targets[0]: target text at 9, '-host=lvm'") == 0);
    CHECK(read("{").find("the targets begin as JSON does and are none: the text ends too early to be JSON") == 0);
    CHECK(read(R"({"kind": "c", "kind": "c"})").find("stands twice") != std::string::npos);
}

TEST_CASE("hosts deep in each other are refused quickly [target.json.hostile]") {
    std::string deep, shallow;
    for (int i = 0; i < 100'000; ++i) deep += "{\"host\":";
    for (int i = 0; i < 100; ++i) shallow += R"({"kind":"c","host":)";
    CHECK(read(deep).find("more than 256 deep") != std::string::npos);
    CHECK(read(shallow + "\"c\"" + std::string(100, '}')).find("has a host itself") != std::string::npos);
    CHECK(read("[" + std::string(10'000'000, ' ')).find("a target text has at most") == 0);
    CHECK(read(std::string("[\"c\0\"]", 7)).find("JSON") != std::string::npos);
}

TEST_CASE("what is written as JSON reads back as the same targets [target.json.round-trip]") {
    CHECK(rc::check([] {
        const auto list = *rc::gen::scale(0.5, rc::gen::container<std::vector<target_instance>>(sample_instances()));
        for (const std::size_t indent : {0u, 2u}) {
            const auto back = read_targets(write_json(target_json(list), indent), sample_schemas());
            RC_ASSERT(back.has_value());
            RC_ASSERT(*back == list);
        }
    }));
    target_instance hot = schema_of<sample_accel>().bare();
    schema_of<sample_accel>().set(hot, "heat", -std::numeric_limits<double>::infinity());
    CHECK(write_json(target_json(hot)) == R"({"kind":"accel","heat":"-inf"})");
    CHECK(read(write_json(target_json(hot))) == "accel -heat=-inf");
}
