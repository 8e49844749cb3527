// Images as files and as base64: of noise, so that they do not compress, in every format that agents read.
import { crc32, deflateSync } from 'node:zlib'
import { noise } from './protocols/rules/seals.ts'

export interface Picture {
  mediaType: string
  bytes: Buffer
}

/** The same seed gives the same picture. */
export function png(width: number, height: number, seed: string): Picture {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8) // eight bits per channel, three channels
  const row = 1 + width * 3
  const pixels = noise(seed, row * height)
  for (let y = 0; y < height; y++) pixels[y * row] = 0 // no filter
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))]
  return { mediaType: 'image/png', bytes: Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]) }
}

/** One grey pixel. The comment, which decoders skip, makes it as long as a photograph. */
export function jpeg(length: number, seed: string): Picture {
  const comment = noise(seed, length)
  const head = Buffer.from([0xff, 0xfe, 0, 0])
  head.writeUInt16BE(length + 2, 2)
  const [start, rest] = [smallestJpeg.subarray(0, 2), smallestJpeg.subarray(2)]
  return { mediaType: 'image/jpeg', bytes: Buffer.concat([start, head, comment, rest]) }
}

/** One pixel, followed by data that decoders skip. */
export function webp(length: number, seed: string): Picture {
  const size = Buffer.alloc(4)
  const skipped = noise(seed, length - (length % 2))
  size.writeUInt32LE(skipped.length)
  const file = Buffer.concat([smallestWebp, Buffer.from('EXIF'), size, skipped])
  file.writeUInt32LE(file.length - 8, 4)
  return { mediaType: 'image/webp', bytes: file }
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

const smallestJpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxD/2Q==',
  'base64',
)
const smallestWebp = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64')
