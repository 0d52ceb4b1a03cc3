// expect: a message that no compiler gives

int main() { return no_such_name; }
