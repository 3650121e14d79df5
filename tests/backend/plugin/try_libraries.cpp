// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/plugin/try_libraries.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

/// A folder with a program in place of one that calls `trial_main`: it survives what its names do not forbid.
struct trial_ground {
    std::string folder = (std::filesystem::temp_directory_path() / "inlay_try_libraries_test").string();
    trial_options how;

    trial_ground() {
        std::filesystem::remove_all(folder);
        std::filesystem::create_directories(folder);
        how.executable = folder + "/tries";
        how.verdicts = folder + "/kept/verdicts";
        std::ofstream(how.executable) << "#!/bin/sh\n"
                                         "echo tried >> "
                                      << folder
                                      << "/calls\n"
                                         "shift\n"
                                         "for f in \"$@\"; do\n"
                                         "  case \"$f\" in\n"
                                         "    *crash*) kill -SEGV $$;;\n"
                                         "    *version*) printf l; kill -SEGV $$;;\n"
                                         "    *usable*) printf lv; exit 3;;\n"
                                         "    *hang*) sleep 60;;\n"
                                         "    *exit*) exit 3;;\n"
                                         "  esac\n"
                                         "  printf .\n"
                                         "done\n";
        std::filesystem::permissions(how.executable, std::filesystem::perms::owner_all);
    }
    ~trial_ground() { std::filesystem::remove_all(folder); }

    std::string file(const std::string& name) const {
        std::ofstream(folder + "/" + name) << name;
        return folder + "/" + name;
    }
    std::size_t calls() const {
        std::ifstream read(folder + "/calls");
        std::size_t count = 0;
        for (std::string line; std::getline(read, line);) ++count;
        return count;
    }
};

}  // namespace

TEST_CASE("libraries are tried in one process, and one that ends it is told from those around it") {
    trial_ground ground;
    const std::vector<std::string> files{ground.file("a.so"), ground.file("crash.so"), ground.file("b.so"), ground.file("exit.so"),
                                         ground.file("c.so")};
    const auto verdicts = try_libraries(files, ground.how);
    REQUIRE(verdicts.size() == 5);
    for (const std::size_t i : {0, 2, 4}) CHECK(verdicts[i].has_value());
    REQUIRE(!verdicts[1]);
    CHECK(verdicts[1].failure().message.starts_with("it crashed while it was loaded: signal 11 (Segmentation fault); remove '"));
    REQUIRE(!verdicts[3]);
    CHECK(verdicts[3].failure().message.starts_with("it ended the process that loaded it, with exit status 3; remove '"));
    CHECK(ground.calls() == 3);

    // What is known is not tried again, until the library changes.
    CHECK(try_libraries(files, ground.how)[1].failure().message == verdicts[1].failure().message);
    CHECK(ground.calls() == 3);
    std::ofstream(files[1]) << "another";
    CHECK(!try_libraries(files, ground.how)[1]);
    CHECK(ground.calls() == 4);
}

TEST_CASE("a library that hangs is left after its time") {
    trial_ground ground;
    ground.how.seconds = 0.3;
    ground.how.verdicts.clear();
    const std::vector<std::string> files{ground.file("hang.so"), ground.file("a.so")};
    const auto verdicts = try_libraries(files, ground.how);
    REQUIRE(!verdicts[0]);
    CHECK(verdicts[0].failure().message == "it has not answered in 0.3 seconds while it was loaded");
    CHECK(verdicts[1].has_value());
}

TEST_CASE("what a library was asked when it crashed or ended the process is told") {
    trial_ground ground;
    ground.how.verdicts.clear();
    const std::vector<std::string> files{ground.file("a.so"), ground.file("version.so"), ground.file("usable.so")};
    const auto verdicts = try_libraries(files, ground.how);
    CHECK(verdicts[0].has_value());
    REQUIRE((!verdicts[1] && !verdicts[2]));
    CHECK(verdicts[1].failure().message == "it crashed when it was asked for its version: signal 11 (Segmentation fault)");
    CHECK(verdicts[2].failure().message == "it ended the process that loaded it when it was asked whether it can run, with exit status 3");
}

TEST_CASE("where no process can be started, nothing is loaded untried") {
    trial_ground ground;
    ground.how.executable = ground.folder + "/nothing";
    const std::vector<std::string> files{ground.file("a.so")};
    const auto verdicts = try_libraries(files, ground.how);
    REQUIRE(!verdicts[0]);
    CHECK(verdicts[0].failure().message.starts_with("it cannot be tried before it is loaded: the program '"));
}

TEST_CASE("a process that was not started to try libraries goes on") {
    char name[] = "program", word[] = "targets";
    char* arguments[] = {name, word, nullptr};
    CHECK(!trial_main(2, arguments));
    CHECK(!trial_main(1, arguments));
}
