// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cutlass/cutlass_headers.hpp>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>

#include <sys/stat.h>

#include <doctest/doctest.h>

#include <inlay/codegen/compile/run_command.hpp>
#include <inlay/codegen/compile/system_compiler.hpp>

using namespace inlay;
using detail::cutlass_headers;

namespace {

/// A variable that has another value, or none, as long as this lives.
class variable {
public:
    variable(const char* name, const char* value) : name_(name) {
        if (const char* const was = std::getenv(name)) before_ = was;
        value != nullptr ? setenv(name, value, 1) : unsetenv(name);
    }
    variable(const variable&) = delete;
    variable& operator=(const variable&) = delete;
    ~variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }

private:
    const char* name_;
    std::optional<std::string> before_;
};

}  // namespace

TEST_CASE("headers are found in the folder that is named, or in its folder include, with their release") {
    const detail::passing_folder work;
    REQUIRE(work.reason() == 0);
    const std::string inner = work.path() + "/include";
    for (const std::string& folder : {inner, inner + "/cutlass"}) REQUIRE(mkdir(folder.c_str(), 0700) == 0);
    std::ofstream(inner + "/cutlass/version.h") << "#define CUTLASS_MAJOR 4\n#define CUTLASS_MINOR 12\n#define CUTLASS_PATCH 0 \n";
    for (const std::string& given : {work.path(), inner}) {
        const auto found = cutlass_headers::open(given);
        REQUIRE(found);
        CHECK(found->folder == inner);
        CHECK(found->release.text() == "4.12.0");
    }
    const variable named("CUTLASS_HOME", work.path().c_str());
    CHECK(cutlass_headers::open("")->folder == inner);
}

TEST_CASE("without headers it says where they were looked for, and how to get them") {
    const detail::passing_folder work;
    const auto none = cutlass_headers::open(work.path());
    REQUIRE(!none);
    CHECK(none.failure().message == "there are no headers of NVIDIA's CUTLASS in '" + work.path() +
                                        "'; name their folder by the option -cutlass or in the variable CUTLASS_HOME, or have "
                                        "'sh examples/install.sh cuda' fetch them");
}
