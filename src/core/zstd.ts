// Compression with the zstd of Node, in single frames whose head says the size of their content.

const megabyte = 1024 * 1024

/** Level 8 takes 0.3 s more for 265 MB of transcripts, for two percent less. */
const defaultLevel = 6

/**
 * The checksum lets a reader find bytes that changed on disk. Returns a copy: zlib returns a part of a
 * buffer of 64 KB, all of which stays in memory and is sent to another thread with it. For the same
 * reason small data gets a small chunk.
 */
export function compress(source: Uint8Array, level = defaultLevel): Uint8Array {
  const { zstdCompressSync, constants } = zlib()
  const compressed = zstdCompressSync(source, {
    params: { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: 1 },
    pledgedSrcSize: source.length,
    chunkSize: Math.min(source.length + minChunk, constants.Z_DEFAULT_CHUNK),
  })
  return new Uint8Array(compressed)
}

/**
 * In one chunk of output: joining several takes half as long again. The byte more than needed lets
 * zlib see that nothing follows.
 */
export function decompress(data: Uint8Array): Buffer {
  const chunkSize = Math.max(minChunk, Math.min(contentSize(data), maxChunk) + 1)
  return zlib().zstdDecompressSync(data, { chunkSize })
}

const minChunk = 64
/** Of a damaged frame the size may be anything. */
const maxChunk = 64 * megabyte

/**
 * The size of the content, which `compress` has zstd write into the head of the frame (RFC 8878,
 * 3.1.1.1): behind the magic number a descriptor, and a byte for the window unless bit 5 is set.
 */
function contentSize(frame: Uint8Array): number {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  const descriptor = view.byteLength > 16 ? view.getUint8(4) : 0
  const isSingle = (descriptor & 0x20) !== 0
  const at = isSingle ? 5 : 6
  switch (descriptor >> 6) {
    case 0:
      return isSingle ? view.getUint8(at) : megabyte
    case 1:
      return view.getUint16(at, true) + 256
    case 2:
      return view.getUint32(at, true)
    default:
      return Number(view.getBigUint64(at, true))
  }
}

/** Loaded on first use, so that a sweep without new events does not pay for it. */
function zlib(): typeof import('node:zlib') {
  return process.getBuiltinModule('node:zlib')
}
