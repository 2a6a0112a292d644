/* endian.h for macOS: every Mac that this is built for has the lower byte first. */
#ifndef MACOS_ENDIAN_H
#define MACOS_ENDIAN_H

#define be16toh(value) __builtin_bswap16(value)
#define be32toh(value) __builtin_bswap32(value)
#define be64toh(value) __builtin_bswap64(value)
#define htobe32(value) __builtin_bswap32(value)
#define le32toh(value) (value)
#define le64toh(value) (value)
#define htole32(value) (value)
#define htole64(value) (value)

#endif
