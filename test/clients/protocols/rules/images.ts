// Whether an image is one: the services decode it, and refuse a request with one that they cannot read.
import { crc32 } from 'node:zlib'

const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** What is wrong with an image in base64; undefined if nothing is. */
export function imageProblem(mediaType: unknown, data: unknown): string | undefined {
  if (typeof mediaType !== 'string' || !imageTypes.includes(mediaType)) return `media type ${String(mediaType)}`
  if (typeof data !== 'string' || data === '') return 'no data'
  if (data.length > maxImageLength) return 'image over 5 MB'
  const bytes = bytesOf(data)
  if (!bytes) return 'not base64'
  const kind = kindOf(bytes)
  if (kind !== mediaType) return `bytes of ${kind ?? 'no image'} under ${mediaType}`
  return isWhole(kind, bytes) ? undefined : `${kind} is damaged`
}

/** What is wrong with an address of an image; undefined if nothing is. */
export function imageUrlProblem(url: unknown): string | undefined {
  if (typeof url !== 'string') return 'no address'
  if (/^https?:\/\/[^\s]+$/.test(url)) return undefined
  const [, mediaType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? []
  return mediaType === undefined ? 'neither an address nor a data URL' : imageProblem(mediaType, data)
}

/** Undefined unless it is base64 as an encoder writes it. */
export function bytesOf(data: string): Buffer | undefined {
  const bytes = Buffer.from(data, 'base64')
  return bytes.toString('base64') === data ? bytes : undefined
}

const maxImageLength = 5 * 1024 * 1024

function kindOf(bytes: Buffer): string | undefined {
  const text = bytes.subarray(0, 12).toString('latin1')
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(text)) return 'image/gif'
  return /^RIFF....WEBP/s.test(text) ? 'image/webp' : undefined
}

function isWhole(kind: string, bytes: Buffer): boolean {
  if (kind === 'image/png') return isWholePng(bytes)
  if (kind === 'image/jpeg') return bytes.subarray(-2).toString('hex') === 'ffd9'
  if (kind === 'image/gif') return bytes.at(-1) === 0x3b
  return bytes.readUInt32LE(4) + 8 === bytes.length
}

/** Every chunk has its checksum, and the last one is the end. */
function isWholePng(bytes: Buffer): boolean {
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const end = at + 8 + length
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return false
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return end + 4 === bytes.length
    at = end + 4
  }
  return false
}
