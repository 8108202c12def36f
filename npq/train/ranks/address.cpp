#include "npq/train/ranks/address.h"

#include <arpa/inet.h>
#include <fmt/ranges.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <set>

#include "npq/base/error.h"

namespace npq::train {
namespace {

class Socket {
 public:
  Socket(int family, int type) : descriptor_(socket(family, type | SOCK_CLOEXEC, 0)) {
    if (descriptor_ < 0) throw Error("cannot open a socket: {}", std::strerror(errno));
  }
  ~Socket() { close(descriptor_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  operator int() const { return descriptor_; }

 private:
  int descriptor_;
};

std::string numbers(const sockaddr* address, socklen_t size) {
  char text[NI_MAXHOST] = {};
  getnameinfo(address, size, text, sizeof text, nullptr, 0, NI_NUMERICHOST);
  return text;
}

}  // namespace

Way way_to(const std::string& host) {
  addrinfo wanted = {};
  wanted.ai_socktype = SOCK_DGRAM;
  addrinfo* answer = nullptr;
  if (const int code = getaddrinfo(host.c_str(), "1", &wanted, &answer); code != 0)
    throw Error("the machine '{}', where rank 0 should be, is not known here: {}", host,
                gai_strerror(code));
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> found(answer, freeaddrinfo);
  // A datagram socket that is connected sends nothing, but it knows its own end.
  const Socket probe(found->ai_family, SOCK_DGRAM);
  sockaddr_storage own = {};
  socklen_t size = sizeof own;
  auto* const own_address = reinterpret_cast<sockaddr*>(&own);
  if (connect(probe, found->ai_addr, found->ai_addrlen) < 0 ||
      getsockname(probe, own_address, &size) < 0)
    throw Error("the machine '{}', where rank 0 should be, cannot be reached: {}", host,
                std::strerror(errno));
  return {numbers(own_address, size), numbers(found->ai_addr, found->ai_addrlen)};
}

bool is_loopback(const std::string& address) {
  return address.starts_with("127.") || address == "::1";
}

bool is_address(const std::string& text) {
  in6_addr address;
  return inet_pton(AF_INET, text.c_str(), &address) == 1 ||
         inet_pton(AF_INET6, text.c_str(), &address) == 1;
}

void check_interface(const std::string& name) {
  ifaddrs* answer = nullptr;
  if (getifaddrs(&answer) < 0)
    throw Error("cannot list the network interfaces: {}", std::strerror(errno));
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> all(answer, freeifaddrs);
  std::set<std::string> known;
  for (const auto* one = all.get(); one != nullptr; one = one->ifa_next)
    if (one->ifa_addr != nullptr &&
        (one->ifa_addr->sa_family == AF_INET || one->ifa_addr->sa_family == AF_INET6))
      known.insert(one->ifa_name);
  if (!known.contains(name))
    throw Error("--interface is '{}', but this machine has no such interface; known: {}", name,
                fmt::join(known, ", "));
}

std::string own_host_name() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

int free_port() {
  const Socket open(AF_INET, SOCK_STREAM);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (bind(open, any, size) < 0 || getsockname(open, any, &size) < 0)
    throw Error("cannot find a free port: {}", std::strerror(errno));
  return ntohs(address.sin_port);
}

}  // namespace npq::train
