// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/onnx/onnx.hpp>

#include <malloc.h>

#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>
#include <rapidcheck.h>
#include <inlay/io/write_file.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>

#include "core/address_sanitizer.hpp"
#include "io/model_text.hpp"
#include "io/temporary_folder.hpp"

using namespace inlay;
using namespace inlay_test;

/// A model with a bit of everything.
static std::string rich_model() {
    const std::string branches =
        "attribute { name: 'else_branch' type: GRAPH g { output { name: 'x' } } } "
        "attribute { name: 'then_branch' type: GRAPH g { " +
        node("Relu", "x", "r") + " output { name: 'r' } } }";
    return model_of(
               model_text(9,
                          value("input", "x", 1, "n 4 2") + value("input", "c", 9, "") +
                              "initializer { name: 'w' data_type: 1 dims: [2, 2] float_data: [1, 2, 3, 4] }" + node("MatMul", "x w", "p") +
                              node("Softmax", "p", "s") + node("If", "c", "q", branches) + node("Split", "s", "a b", integer("axis", 1)) +
                              node("f", "b", "d", "domain: 'mine'") + node("Concat", "a d", "y", integer("axis", 1)) +
                              "output { name: 'y' } output { name: 'q' }",
                          "functions { domain: 'mine' name: 'f' input: 'u' output: 'v' " + node("Clip", "u", "v", number("max", 6)) + "}"))
        .SerializeAsString();
}

/// How a process ends that reads a model with so much memory left: 0 with a program, 1 with the sentence about memory, 2 with another
/// error; -1 where it is killed.
static int end_with_memory(const std::string& model, std::size_t left) {
    const pid_t child = fork();
    if (child == 0) {
        // What earlier tests left free must not serve this one.
        [[maybe_unused]] static void* volatile kept = nullptr;
        const auto taken = [] {
            const struct mallinfo2 m = mallinfo2();
            return m.arena + m.hblkhd;
        };
        for (const std::size_t size : {std::size_t{1} << 16, std::size_t{1} << 12, std::size_t{1} << 8})
            for (const auto before = taken(); taken() == before;) kept = std::malloc(size);
        std::size_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        const rlim_t most = static_cast<rlim_t>(pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + left);
        const rlimit limit{most, most};
        setrlimit(RLIMIT_AS, &limit);
        const auto made = import_onnx(bytes_of(model));
        _exit(made ? 0 : made.failure().message.starts_with("there is not enough memory for the model") ? 1 : 2);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_CASE("a model for which there is not enough memory is refused in a sentence, wherever the memory ends" *
          doctest::skip(has_address_sanitizer)) {
    onnx::ModelProto model = model_of(model_text(18, value("input", "x", 1, "4") + "output { name: 'y' } "));
    onnx::GraphProto& graph = *model.mutable_graph();
    for (int i = 0; i < 20'000; ++i) {
        onnx::NodeProto& n = *graph.add_node();
        n.set_op_type("Relu");
        n.add_input(i == 0 ? "x" : "t" + std::to_string(i - 1));
        n.add_output(i + 1 == 20'000 ? "y" : "t" + std::to_string(i));
    }
    const std::string bytes = model.SerializeAsString();
    CHECK(end_with_memory(bytes, std::size_t{1} << 30) == 0);
    std::size_t refused = 0;
    for (std::size_t left = 0; left < (std::size_t{24} << 20); left += std::size_t{2} << 20) {
        CAPTURE(left);
        const int end = end_with_memory(bytes, left);
        CHECK((end == 0 || end == 1));
        refused += end == 1 ? 1 : 0;
    }
    CHECK(refused > 0);
}

TEST_CASE("no bytes, text and other files are no model") {
    CHECK(import_onnx({}).failure().message == "the file is no ONNX model: it is empty");
    CHECK(import_onnx(bytes_of("this is a text and no model\n")).failure().message ==
          "the file is no ONNX model: it is damaged, cut off, or nested too deep");
    CHECK_FALSE(import_onnx(bytes_of(std::string(1000, '\0'))));
}

TEST_CASE("every beginning of a model is refused with a sentence or is a program") {
    const std::string whole = rich_model();
    REQUIRE(import_onnx(bytes_of(whole)));
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const auto m = import_onnx(bytes_of(whole.substr(0, length)));
        CHECK((m.has_value() || !m.failure().message.empty()));
    }
}

TEST_CASE("mutated models are refused with a sentence or are programs") {
    const std::string whole = rich_model();
    import_options options;
    options.operators = &onnx_ops::find;
    CHECK(rc::check("some bytes changed", [&](const std::vector<std::pair<std::size_t, unsigned char>>& changes) {
        std::string bad = whole;
        for (const auto& [at, to] : changes) bad[at % bad.size()] = static_cast<char>(to);
        const auto m = import_onnx(bytes_of(bad), options);
        RC_ASSERT(m.has_value() || (!m.failure().message.empty() && m.failure().message.size() < 2000));
    }));
}

TEST_CASE("claims of gigabytes in few bytes allocate nothing") {
    const std::string claims[] = {"initializer { name: 'w' data_type: 1 dims: 536870912 raw_data: 'abcd' }",
                                  "initializer { name: 'w' data_type: 1 dims: 536870912 }",
                                  "initializer { name: 'w' data_type: 11 dims: [65536, 65536, 65536] float_data: 1 }"};
    for (const std::string& claim : claims)
        CHECK(refusal_of(model_text(13, claim + "output { name: 'w' }")).find("asks for") != std::string::npos);
    // A length of 2 GB in front of nothing.
    CHECK_FALSE(import_onnx(bytes_of(std::string("\x3a\xff\xff\xff\xff\x07", 6))));
}

TEST_CASE("deeply nested graphs are refused") {
    std::string inner = "g { output { name: 'x' } }";
    for (int i = 0; i < 20; ++i)
        inner = "g { " + node("Loop", "x x", "o" + std::to_string(i), "attribute { name: 'body' type: GRAPH " + inner + " }") +
                " output { name: 'x' } }";
    onnx::AttributeProto deep;
    google::protobuf::TextFormat::Parser parser;
    REQUIRE(parser.ParseFromString("name: 'body' type: GRAPH " + inner, &deep));
    // Wrapping by hand goes deeper than the text form may.
    onnx::ModelProto model = model_of(model_text(13, value("input", "x", 1, "2") + node("Loop", "x x", "y") + "output { name: 'y' }"));
    *model.mutable_graph()->mutable_node(0)->add_attribute() = deep;
    CHECK(import_onnx(bytes_of(model.SerializeAsString())));
    for (int i = 0; i < 60; ++i) {
        onnx::NodeProto loop = model.graph().node(0);
        auto* a = model.mutable_graph()->mutable_node(0)->mutable_attribute(0);
        a->mutable_g()->clear_node();
        *a->mutable_g()->add_node() = loop;
    }
    const auto made = import_onnx(bytes_of(model.SerializeAsString()));
    REQUIRE_FALSE(made);
    CHECK(made.failure().message.find("deep") != std::string::npos);
}

TEST_CASE("a file is loaded with its external data, and named in errors") {
    const temporary_folder folder;
    const auto external = [](const std::string& location) {
        return model_of(
                   model_text(
                       13, "initializer { name: 'w' data_type: 1 dims: 2 data_location: EXTERNAL external_data { key: 'location' value: '" +
                               location + "' } } output { name: 'w' }"))
            .SerializeAsString();
    };
    REQUIRE(write_file(folder / "w.bin", std::string("\0\0\x80\x3f\0\0\0\x40", 8)));
    REQUIRE(write_file(folder / "m.onnx", external("w.bin")));
    const auto m = load_onnx(folder / "m.onnx");
    REQUIRE(m);
    CHECK(m->constant(only_result(*m))->as<float>()[1] == 2.0f);
    CHECK(import_onnx(bytes_of(external("w.bin"))).failure().message ==
          "tensor 'w' keeps its data in the file 'w.bin'; give the folder of external data");
    REQUIRE(write_file(folder / "escape.onnx", external("../w.bin")));
    CHECK(load_onnx(folder / "escape.onnx").failure().message ==
          "'" + (folder / "escape.onnx") + "': tensor 'w' keeps its data in '../w.bin', which is no file inside the model's folder");
    CHECK(load_onnx(folder / "none.onnx").failure().message == "'" + (folder / "none.onnx") + "': the file cannot be opened for reading");
    CHECK(load_onnx(folder.path()).failure().message.find("a folder stands where a file was expected") != std::string::npos);
    REQUIRE(write_file(folder / "empty.onnx", ""));
    CHECK(load_onnx(folder / "empty.onnx").failure().message.find("it is empty") != std::string::npos);
    REQUIRE(write_file(folder / "rich.onnx", rich_model()));
    CHECK(load_onnx(folder / "rich.onnx")->size() == import_onnx(bytes_of(rich_model()))->size());
}
