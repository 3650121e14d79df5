// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cuda/cuda_compiler.hpp>

#include <cstdlib>
#include <fstream>
#include <string>

#include <sys/stat.h>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

/// A program that answers as NVIDIA's compiler does, and compiles what it is told to by the lines that follow.
std::string played_compiler(const detail::passing_folder& in, const std::string& lines) {
    const std::string path = in.path() + "/nvcc";
    std::ofstream(path)
        << "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'nvcc: a compiler'; echo 'Cuda tools, release 12.4, V12.4.1'; exit 0; fi\n"
        << lines << "\n";
    ::chmod(path.c_str(), 0755);
    return path;
}

}  // namespace

TEST_CASE("a compiler that there is not is one sentence with what to do") {
    const auto found = detail::find_nvcc(compiler_lookup(), "/nowhere/nvcc");
    REQUIRE(!found);
    CHECK(found.failure().message.find("there is no CUDA compiler: ") == 0);
    CHECK(found.failure().message.find("put nvcc into PATH, or name it in the variable NVCC or by the option -nvcc") != std::string::npos);
}

TEST_CASE("a compiler is known by its release, and gives the code that it writes, once for each text") {
    const detail::passing_folder folder;
    const std::string path =
        played_compiler(folder, "while [ \"$1\" != -o ]; do shift; done; echo once >>\"$(dirname \"$0\")/runs\"; cp \"$3\" \"$2\"");
    const auto found = detail::find_nvcc(compiler_lookup(), path);
    REQUIRE(found);
    CHECK(detail::nvcc_release(*found) == "release 12.4, V12.4.1");
    const detail::cuda_compiler compiler(*found);
    CHECK(compiler.release() == "release 12.4, V12.4.1");
    const detail::cubin_request what{"the text", "sm_80", folder.path() + "/cache", 20, {}};
    const auto code = compiler.compile(what);
    REQUIRE(code);
    CHECK(*code == "the text");
    const auto again = compiler.compile(what);
    REQUIRE(again);
    CHECK(again->find("the text") == 0);
    CHECK(detail::bytes_of_file(folder.path() + "/runs") == "once\n");
    const auto other = compiler.compile({"the text", "sm_90", folder.path() + "/cache", 20, {}});
    CHECK(detail::bytes_of_file(folder.path() + "/runs") == "once\nonce\n");
}

TEST_CASE("the library compiles where it is asked for, and where no compiler is named or there") {
    const detail::passing_folder folder;
    const auto asked = detail::cuda_compiler::find(compiler_lookup(), "nvrtc");
    REQUIRE(asked.has_value() == detail::nvrtc::here().has_value());
    if (asked)
        CHECK(asked->release() == detail::nvrtc::here()->release());
    else
        CHECK(asked.failure().message == "there is no CUDA compiler: " + detail::nvrtc::here().failure().message);
    const auto named = detail::cuda_compiler::find(compiler_lookup(), played_compiler(folder, "exit 0"));
    REQUIRE(named);
    CHECK(named->release() == "release 12.4, V12.4.1");
    CHECK(!detail::cuda_compiler::find(compiler_lookup(), "/nowhere/nvcc"));
}

TEST_CASE("a compiler that fails, hangs or gives nothing is one sentence") {
    const detail::passing_folder folder;
    const auto says = [&](const std::string& lines) {
        const auto found = detail::find_nvcc(compiler_lookup(), played_compiler(folder, lines));
        REQUIRE(found);
        const auto code = detail::compile_cubin(*found, {"text", "sm_80", {}, 0.3, {}});
        return code ? std::string() : code.failure().message;
    };
    CHECK(says("echo 'kernels.cu(3): error: no such type'; exit 2").find("ended with status 2: kernels.cu(3): error: no such type") !=
          std::string::npos);
    CHECK(says("sleep 20").find("took more than 0.3 seconds and was ended") != std::string::npos);
    CHECK(says("exit 0").find("gave no code") != std::string::npos);
}
