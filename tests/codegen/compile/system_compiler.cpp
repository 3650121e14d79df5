// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/compile/system_compiler.hpp>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <sys/stat.h>

#include <doctest/doctest.h>

using namespace inlay;
namespace fs = std::filesystem;

namespace {

/// A folder with compilers that are scripts; they count how often they compile.
struct workshop {
    detail::passing_folder folder;

    [[nodiscard]] std::string path(const std::string& name) const { return folder.path() + "/" + name; }
    /// A program that answers for its version, and does this for all else.
    std::string script(const std::string& name, const std::string& body) const {
        std::ofstream(path(name)) << "#!/bin/sh\ncase \"$*\" in *--version) echo " << name << " 1.0; exit 0;; esac\n" << body << "\n";
        chmod(path(name).c_str(), 0755);
        return path(name);
    }
    [[nodiscard]] std::string counting() const { return script("counting", "echo x >> " + path("count") + "; exec cc \"$@\""); }
    [[nodiscard]] std::size_t count() const { return detail::bytes_of_file(path("count")).size() / 2; }
};

compiler_request seven(const std::string& compiler = {}, const std::string& cache = {}) {
    compiler_request r;
    r.source = "int seven(void) { return 7; }\n";
    r.compiler = compiler;
    r.cache = cache;
    return r;
}

/// What the function says, or why there is none.
std::string said(const compiler_request& r) {
    const auto library = compile(r);
    if (!library) return library.failure().message;
    auto* const f = library->function<int()>("seven");
    return f == nullptr ? "no function" : std::to_string(f());
}

/// Keeps a variable of the environment at a value.
struct with_variable {
    std::string name;
    std::optional<std::string> before;

    with_variable(std::string n, const std::string& value) : name(std::move(n)) {
        if (const char* const was = std::getenv(name.c_str())) before = was;
        setenv(name.c_str(), value.c_str(), 1);
    }
    ~with_variable() { before ? setenv(name.c_str(), before->c_str(), 1) : unsetenv(name.c_str()); }
};

}  // namespace

TEST_CASE("C and C++ are compiled and called [codegen.compiler.runs]") {
    CHECK(said(seven()) == "7");
    compiler_request r = seven();
    r.language = source_language::cpp20;
    r.source = "#include <span>\nextern \"C\" int seven() { int a[7]{}; return static_cast<int>(std::span(a).size()) + EXTRA; }\n";
    r.flags = {"-O2", "-DEXTRA=1"};
    CHECK(said(r) == "8");
    const auto found = find_compiler(source_language::cpp20);
    REQUIRE(found);
    CHECK_FALSE(found->version.empty());
}

TEST_CASE("the compiler is the one that is named, with its arguments, else the one of the environment [codegen.compiler.found]") {
    const workshop w;
    CHECK(said(seven("  env   cc -DUNUSED ")) == "7");
    const with_variable named("CC", w.counting());
    CHECK(said(seven()) == "7");
    CHECK(w.count() == 1);
    CHECK(said(seven("cc")) == "7");
    CHECK(w.count() == 1);
}

TEST_CASE("a compiler that is missing, fails, is killed or hangs is one sentence [codegen.compiler.refused]") {
    const workshop w;
    CHECK(
        said(seven("inlay-no-such-compiler")) ==
        "there is no compiler: the program 'inlay-no-such-compiler' cannot be started: No such file or directory; install one, or name it "
        "in the variable CC");
    compiler_request wrong = seven("cc");
    wrong.source = "int seven(void) { return eight; }\n";
    CHECK(said(wrong).find("the compiler 'cc' ended with status 1: source.c:1:26: error: ") == 0);
    CHECK(said(seven(w.script("silent", "exit 4"))) == "the compiler '" + w.path("silent") + "' ended with status 4: it does not say why");
    CHECK(said(seven(w.script("shot", "kill -9 $$"))) ==
          "the compiler '" + w.path("shot") + "' was ended by signal 9 (Killed); see whether memory is short");
    compiler_request slow = seven(w.script("slow", "sleep 100"));
    slow.seconds = 0.5;
    CHECK(said(slow) ==
          "the compiler '" + w.path("slow") + "' took more than 0.5 seconds and was ended; allow it more, or ask for less optimization");
    CHECK(said(seven(w.script("liar", "exit 0"))).find("a shared library cannot be loaded: ") == 0);
    std::ofstream(w.path("mute")) << "#!/bin/sh\nsleep 100\n";
    chmod(w.path("mute").c_str(), 0755);
    slow.compiler = w.path("mute");
    CHECK(said(slow).find("took more than 0.5 seconds") != std::string::npos);
    const with_variable nowhere("TMPDIR", w.path("none"));
    CHECK(said(seven()).find("there is no folder to compile in") == 0);
}

TEST_CASE("what was compiled is found again by text, flags and compiler [codegen.compiler.cache]") {
    const workshop w;
    const std::string cache = w.path("a/b/cache");
    compiler_request r = seven(w.counting(), cache);
    CHECK(said(r) == "7");
    CHECK(said(r) == "7");
    CHECK(w.count() == 1);
    r.flags = {"-O1"};
    CHECK(said(r) == "7");
    CHECK(w.count() == 2);
    r.source += "\n";
    CHECK(said(r) == "7");
    CHECK(w.count() == 3);
    r.compiler += " -DUNUSED";
    CHECK(said(r) == "7");
    CHECK(w.count() == 4);
    CHECK(said(r) == "7");
    CHECK(w.count() == 4);
    for (const auto& entry : fs::directory_iterator(cache)) CHECK(entry.path().extension() == ".so");
}

TEST_CASE("a damaged library in a cache is compiled again and mended [codegen.compiler.damaged]") {
    const workshop w;
    const std::string cache = w.path("cache");
    const compiler_request r = seven(w.counting(), cache);
    CHECK(said(r) == "7");
    const fs::path file = fs::directory_iterator(cache)->path();
    const std::string whole = detail::bytes_of_file(file.string());
    std::string flipped = whole;
    flipped[whole.size() / 2] = static_cast<char>(flipped[whole.size() / 2] ^ 1);
    std::size_t compiled = 1;
    for (const std::string& bytes : {std::string(), std::string("nonsense"), whole.substr(0, whole.size() / 2), flipped, whole + "x"}) {
        std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
        CHECK(said(r) == "7");
        CHECK(w.count() == ++compiled);
        CHECK(said(r) == "7");
        CHECK(w.count() == compiled);
    }
    // Whole, but of other content: the name is not what is believed.
    compiler_request eight = r;
    eight.source = "int seven(void) { return 8; }\n";
    CHECK(said(eight) == "8");
    for (const auto& entry : fs::directory_iterator(cache))
        if (entry.path() != file) fs::copy_file(entry.path(), file, fs::copy_options::overwrite_existing);
    CHECK(said(r) == "7");
}

TEST_CASE("a cache that cannot be written is done without [codegen.compiler.no-cache]") {
    const workshop w;
    std::ofstream(w.path("file")) << "no folder";
    CHECK(said(seven({}, w.path("file"))) == "7");
    CHECK(said(seven({}, w.path("file/below"))) == "7");
    CHECK(said(seven({}, "/proc/inlay/cache")) == "7");
    // Something else stands in the library's place.
    compiler_request r = seven(w.counting(), w.path("cache"));
    CHECK(said(r) == "7");
    const fs::path file = fs::directory_iterator(r.cache)->path();
    fs::remove(file);
    fs::create_directories(file / "inside");
    CHECK(said(r) == "7");
    CHECK(w.count() == 2);
    CHECK(std::distance(fs::directory_iterator(r.cache), fs::directory_iterator()) == 1);
}

TEST_CASE("a cache that is full keeps nothing that is torn [codegen.compiler.no-cache]") {
    const workshop w;
    // Writing ends early in this process, and not in the compiler's.
    const compiler_request r = seven(w.script("unlimited", "ulimit -f unlimited; exec cc \"$@\""), w.path("cache"));
    struct rlimit before {};
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
    auto* const was = std::signal(SIGXFSZ, SIG_IGN);
    struct rlimit small = before;
    small.rlim_cur = 4096;
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    const std::string got = said(r);
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, was);
    CHECK(got == "7");
    CHECK(fs::is_empty(r.cache));
}

TEST_CASE("several may compile the same at once [codegen.compiler.cache]") {
    const workshop w;
    const compiler_request r = seven({}, w.path("cache"));
    std::vector<std::string> got(4);
    std::vector<std::thread> hands;
    for (std::string& mine : got) hands.emplace_back([&] { mine = said(r); });
    for (std::thread& hand : hands) hand.join();
    CHECK(got == std::vector<std::string>(4, "7"));
    CHECK(std::distance(fs::directory_iterator(r.cache), fs::directory_iterator()) == 1);
}

TEST_CASE("files beside a text are included and compiled with it, and are part of what is kept [codegen.compiler.cache]") {
    const workshop here;
    compiler_request r = seven(here.counting(), here.path("cache"));
    r.source = "#include \"number.h\"\nint seven(void) { return number(); }\n";
    r.files = {{"number.h", "int number(void);\n"}, {"number.c", "#include \"number.h\"\nint number(void) { return 7; }\n", true}};
    CHECK(said(r) == "7");
    CHECK(said(r) == "7");
    CHECK(here.count() == 1);
    r.files[1].text = "int number(void);\nint number(void) { return 8; }\n";
    CHECK(said(r) == "8");
    CHECK(here.count() == 2);
}
