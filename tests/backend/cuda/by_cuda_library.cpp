// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cuda/by_cuda_library.hpp>

#include <cstddef>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "../small_graph.hpp"

using namespace inlay;
using namespace inlay_test;

namespace {

struct library {
    static std::size_t version() { return 42; }
    static outcome<library> open(const std::string& file) {
        if (!file.empty()) return error{"no library in " + file};
        return library();
    }
};
struct session {
    std::string file;
    static outcome<session> open(const std::string& file) { return session{file}; }
};
struct computer : detail::by_cuda_library<computer, library, session> {
    static constexpr std::string_view kind = "computer", library_name = "Computer";
    std::string arch, library, precision = "float32";
    bool model = false;
};

}  // namespace

TEST_CASE("the version tells of the library, the precision, the architecture and the device") {
    computer b;
    b.arch = "sm_90";
    CHECK(b.version().find("1 Computer 42 in float32 for sm_90 on ") == 0);
    b.library = "/no/such.so";
    b.precision = "tf32";
    CHECK(b.version().find("1 without Computer in tf32 for sm_90 on ") == 0);
}

TEST_CASE("a precision that is none is refused") {
    computer b;
    CHECK(b.check());
    b.precision = "tf32";
    CHECK(b.check());
    b.precision = "half";
    CHECK(b.check().failure().message == "option '-precision' of target 'computer' takes float32 or tf32, not 'half'");
    CHECK(b.usable().failure().message == b.check().failure().message);
    b = {};
    b.model = true;
    CHECK(b.usable());
}

TEST_CASE("a session is for a region whose tensors are to stand in the device's memory, and for a device") {
    small_graph t;
    const whole_region whole(t.finish(t.call("onnx.Relu", {t.input({4})})));
    const computer b;
    const border_formats there = b.formats(whole.view())[0], here = plain_borders(whole.view());
    CHECK(b.session_for(whole.view()).failure().message.find("Computer emits a region whose border formats are chosen") == 0);
    CHECK(b.session_for(whole.all.view(here.inputs, here.results)).failure().message.find("Computer does not take this region") == 0);
    const auto made = b.session_for(whole.all.view(there.inputs, there.results));
    CHECK(made.has_value() == detail::cuda_device::here().has_value());
    if (!made) CHECK(made.failure().message == detail::cuda_device::here().failure().message);
}
