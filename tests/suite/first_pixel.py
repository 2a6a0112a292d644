"""tests/suite/first_pixel.py PICTURE - the first three bytes of its first pixel."""
import struct, sys, zlib

data, at, pixels = open(sys.argv[1], "rb").read(), 8, b""
while at < len(data):
    length, kind = struct.unpack(">I4s", data[at:at + 8])
    pixels += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
    at += 12 + length
print(*zlib.decompress(pixels)[1:4])
