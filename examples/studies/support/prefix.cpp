// What the precompiled header is compiled for.
