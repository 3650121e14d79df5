// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/plugin/isolated_channel.hpp>

#include <cstdint>
#include <memory>
#include <string>

#include <sys/socket.h>
#include <unistd.h>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

/// A process that does this with its end of a socket.
template <class Work>
[[nodiscard]] std::unique_ptr<isolated_channel> talking_to(Work work, double seconds) {
    int ends[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    const pid_t process = ::fork();
    if (process == 0) {
        ::close(ends[0]);
        work(ends[1]);
        ::_exit(7);
    }
    ::close(ends[1]);
    return std::make_unique<isolated_channel>(ends[0], process, seconds);
}

}  // namespace

TEST_CASE("answers come one for one, however long they are") {
    const auto channel = talking_to(
        [](int socket) {
            for (std::string text; detail::receive_message(socket, text, 1e18) == 0;)
                if (detail::send_message(socket, text + text, 1e18) != 0) return;
        },
        30);
    for (const std::size_t size : {std::size_t{0}, std::size_t{5}, std::size_t{3} << 20}) {
        const std::string question(size, 'q');
        const auto told = channel->ask(question);
        REQUIRE(told);
        CHECK(*told == question + question);
    }
}

TEST_CASE("one that ends, or announces more than there can be, is given up for good") {
    const auto ended = talking_to([](int) {}, 30);
    CHECK(ended->ask("anybody there").failure().message == "its process ended with exit status 7");
    CHECK(ended->ask("still not").failure().message == "its process ended with exit status 7");
    const auto lies = talking_to(
        [](int socket) {
            const std::uint64_t much = std::uint64_t{1} << 60;
            (void)!::write(socket, &much, sizeof much);
            ::sleep(60);
        },
        30);
    CHECK(lies->ask("how much").failure().message == "its process cannot be talked to: Message too long");
    const auto silent = talking_to([](int) { ::sleep(60); }, 0.2);
    CHECK(silent->ask("anything").failure().message == "its process had not answered in 0.2 seconds and was ended");
}
