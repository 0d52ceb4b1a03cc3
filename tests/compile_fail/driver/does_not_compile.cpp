// expect: success

int main() { return no_such_name; }
