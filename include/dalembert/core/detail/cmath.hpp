#pragma once

/// <cmath>, read once. That of libstdc++ begins with other headers, not with its guard, so that compilers
/// read all of it again wherever it is included. A hundred times that is more lines than g++ has numbers for;
/// from there on it keeps the ends of tokens in tables, in a fifth more time and memory for all headers.
#include <cmath>
