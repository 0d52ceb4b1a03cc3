#include <dalembert/ensemble/member.hpp>

#include <limits>
#include <thread>

#include "support/catch.hpp"

namespace member_test {

using namespace dalembert;

TEST_CASE("seeds of members are the published sequence SplitMix64", "[ensemble]") {
  // The first numbers of the generator in Java's SplittableRandom, and of Vigna's splitmix64.c, from these seeds.
  CHECK(member_seed(0, 0) == 0xe220a8397b1dcdafU);
  CHECK(member_seed(0, 1) == 0x6e789e6aa1b965f4U);
  CHECK(member_seed(0, 2) == 0x06c45d188009454fU);
  CHECK(member_seed(1234567, 0) == 6457827717110365317U);
  CHECK(member_seed(1234567, 2) == 9817491932198370423U);
  CHECK(member_seed(1234567, 4) == 16408922859458223821U);
  static_assert(member_seed(1, 0) != member_seed(0, 0));
}

TEST_CASE("a member without a limit is never over", "[ensemble]") {
  MemberContext context(3, 17);
  CHECK(context.index() == 3);
  CHECK(context.seed() == 17);
  CHECK(std::isnan(context.time()));
  CHECK_FALSE(context.expired());
  CHECK_NOTHROW(context.check(2.5));
  CHECK(context.time() == 2.5);
  CHECK_FALSE(context.was_over());
}

TEST_CASE("a member beyond its limit is told so with the time of its motion", "[ensemble]") {
  MemberContext context(0, 0, 1e-3);
  std::this_thread::sleep_for(std::chrono::milliseconds(3));
  CHECK_FALSE(context.was_over());  // it has not asked yet
  struct {
    double time = 0.75;
  } state;
  try {
    context(0, state);
    FAIL("it went on");
  } catch (const MemberExpired& error) {
    CHECK(error.time() == 0.75);
    CHECK_THAT(error.what(), Catch::Contains("0.001 s") && Catch::Contains("t = 0.75 s"));
  }
  CHECK(context.was_over());
  CHECK_FALSE(context.was_stopped());
}

TEST_CASE("the end of the run reaches a member, and is not taken for its own", "[ensemble]") {
  bool end = false;
  const std::function<bool()> stop = [&] { return end; };
  MemberContext context(0, 0, 0, &stop);
  CHECK_FALSE(context.expired());
  end = true;
  CHECK(context.expired());
  CHECK(context.was_stopped());
  CHECK_FALSE(context.was_over());
}

TEST_CASE("a block has the members and the numbers of each", "[ensemble]") {
  std::vector<MemberContext> contexts{{4, 0}, {5, 0}};
  std::vector<double> numbers(6);
  const MemberBlock block(contexts, numbers);
  REQUIRE(block.size() == 2);
  CHECK(block[1].index() == 5);
  REQUIRE(block.values(1).size() == 3);
  block.values(1)[2] = 7;
  CHECK(numbers == std::vector<double>{0, 0, 0, 0, 0, 7});
}

TEST_CASE("each status has a word of its own", "[ensemble]") {
  CHECK(status_name(MemberStatus::finished) == std::string("finished"));
  CHECK(status_name(MemberStatus::not_finite) == std::string("not finite"));
  CHECK(status_name(MemberStatus::failed) == std::string("failed"));
  CHECK(status_name(MemberStatus::expired) == std::string("expired"));
}

}  // namespace member_test
