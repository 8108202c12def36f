#pragma once
#include <string>

namespace npq::train {

/// A machine as this one sees it, and the address of this machine that reaches it.
struct Way {
  std::string from, to;  // numbers: "10.0.0.7"
};

/// Nothing is sent. A name that stands for no machine is an Error.
Way way_to(const std::string& host);

/// Whether an address never leaves its machine.
bool is_loopback(const std::string& address);

/// Whether it is an address in numbers, not the name of a network interface.
bool is_address(const std::string& text);

/// An Error that lists the interfaces of this machine unless `name` is one.
void check_interface(const std::string& name);

std::string own_host_name();

/// A port of 127.0.0.1 that nobody listens at just now.
int free_port();

}  // namespace npq::train
