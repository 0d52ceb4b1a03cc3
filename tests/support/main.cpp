// The main of every test program, compiled once. It fixes the seed so that two runs are alike.

#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

int main(int argc, char* argv[]) {
  Catch::Session session;
  session.configData().rngSeed = 20160101;
  if (const int status = session.applyCommandLine(argc, argv); status != 0) return status;
  return session.run();
}
