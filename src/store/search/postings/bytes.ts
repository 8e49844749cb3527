// Growing byte buffers and numbers of variable length: seven bits a byte, lowest first.

export interface ByteBuffer {
  bytes: Uint8Array
  length: number
}

export function createBuffer(): ByteBuffer {
  return { bytes: new Uint8Array(1024), length: 0 }
}

export function pushByte(buffer: ByteBuffer, byte: number): void {
  if (buffer.length === buffer.bytes.length) grow(buffer, 1)
  buffer.bytes[buffer.length++] = byte
}

/** A whole number of at most 53 bits. */
export function pushVarint(buffer: ByteBuffer, value: number): void {
  if (buffer.length + 8 > buffer.bytes.length) grow(buffer, 8)
  let rest = value
  while (rest >= 0x80) {
    buffer.bytes[buffer.length++] = (rest % 0x80) + 0x80
    rest = Math.floor(rest / 0x80)
  }
  buffer.bytes[buffer.length++] = rest
}

export function pushBytes(buffer: ByteBuffer, bytes: Uint8Array): void {
  if (buffer.length + bytes.length > buffer.bytes.length) grow(buffer, bytes.length)
  buffer.bytes.set(bytes, buffer.length)
  buffer.length += bytes.length
}

/** The content so far; valid until the buffer changes. */
export function contentOf({ bytes, length }: ByteBuffer): Uint8Array {
  return bytes.subarray(0, length)
}

function grow(buffer: ByteBuffer, least: number): void {
  const larger = new Uint8Array(Math.max(buffer.bytes.length * 2, buffer.length + least))
  larger.set(contentOf(buffer))
  buffer.bytes = larger
}

export interface ByteReader {
  at: number
  varint(): number
}

export function byteReader(bytes: Uint8Array, at = 0): ByteReader {
  const reader = {
    at,
    varint() {
      let byte = bytes[reader.at++]!
      if (byte < 0x80) return byte
      let value = byte & 0x7f
      for (let factor = 0x80; byte >= 0x80; factor *= 0x80) {
        byte = bytes[reader.at++]!
        value += (byte & 0x7f) * factor
      }
      return value
    },
  }
  return reader
}
