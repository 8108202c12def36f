#pragma once
#include <cstdint>

namespace npq::zip {

// Numbers of the zip format that reader and writer share; the field names are those of its
// specification (APPNOTE).
inline constexpr std::uint32_t kLocalHeader = 0x04034b50;
inline constexpr std::uint32_t kDirectoryEntry = 0x02014b50;
inline constexpr std::uint32_t kDataDescriptor = 0x08074b50;
inline constexpr std::uint32_t kEndOfDirectory = 0x06054b50;
inline constexpr std::uint32_t kEndOfDirectory64 = 0x06064b50;
inline constexpr std::uint32_t kLocator64 = 0x07064b50;

inline constexpr std::uint16_t kExtra64 = 0x0001;  // extra field with the 64-bit sizes
inline constexpr std::uint16_t kStored = 0;
inline constexpr std::uint16_t kDeflated = 8;
inline constexpr std::uint16_t kVersion64 = 45;         // the first version that knows zip64
inline constexpr std::uint16_t kFlagUtf8 = 0x0800;      // the name is UTF-8
inline constexpr std::uint16_t kFlagStreamed = 0x0008;  // sizes follow the data

// A field that is full of ones stands for "see the 64-bit field".
inline constexpr std::uint16_t kFull16 = 0xffff;
inline constexpr std::uint32_t kFull32 = 0xffffffff;

inline constexpr std::uint64_t kEndOfDirectoryBytes = 22;
inline constexpr std::uint64_t kEndOfDirectory64Bytes = 56;
inline constexpr std::uint64_t kLocator64Bytes = 20;

}  // namespace npq::zip
