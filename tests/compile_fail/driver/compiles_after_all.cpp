// expect: error

int main() {}
