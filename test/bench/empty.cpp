// The smallest C++ program that still starts the C++ library: the floor for the start-up time of
// `parlance`.
#include <iostream>

int main() { return std::cout.good() ? 0 : 1; }
