// Encodes made-up pictures and other files as agents attach them: real structure, random content.
import { crc32, deflateSync } from 'node:zlib'
import { encodeJpeg } from './jpeg.ts'

export interface Picture {
  name: string
  type: string
  bytes: Buffer
}

type Random = () => number

/** Colours of a picture: one plane of samples from 0 to 255, by channel and place. */
export type Sampler = (channel: number, x: number, y: number) => number

const fills = ['noise', 'flat', 'gradient', 'sparse'] as const

export function randomBytes(random: Random, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  for (let at = 0; at < length; at++) bytes[at] = random() * 256
  return bytes
}

const whole = (random: Random, min: number, max: number) => min + Math.floor(random() * (max - min + 1))
const oneOf = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!

function sampler(random: Random): { fill: string; sample: Sampler } {
  const fill = oneOf(random, fills)
  const base = [0, 1, 2, 3].map(() => whole(random, 0, 255))
  const [dx, dy] = [random() * 3, random() * 3]
  const gradient: Sampler = (channel, x, y) => Math.floor(base[channel]! + x * dx + y * dy) & 255
  const samples: Record<(typeof fills)[number], Sampler> = {
    noise: () => random() * 256,
    flat: (channel) => base[channel]!,
    gradient,
    sparse: (channel) => (random() < 0.02 ? random() * 256 : base[channel]!),
  }
  return { fill, sample: samples[fill] }
}

/** Small pictures most often, because their encoded form begins near their header. */
function size(random: Random, max: number): number {
  return oneOf(random, [1, 2, 3, 8, 16, 24, 32, 64, whole(random, 1, 100), whole(random, 1, max)])
}

export function randomPicture(random: Random, maxPixels = 200): Picture {
  const width = size(random, maxPixels)
  const height = size(random, maxPixels)
  const { fill, sample } = sampler(random)
  const format = oneOf(random, ['png', 'png', 'png', 'jpeg', 'webp', 'gif', 'bmp'] as const)
  const name = `${format} ${width}x${height} ${fill}`
  const type = `image/${format}`
  switch (format) {
    case 'png':
      return { name, type, bytes: png(random, width, height, sample) }
    case 'jpeg':
      return { name, type, bytes: encodeJpeg({ width, height, isGrey: random() < 0.3, quality: random() }, sample) }
    case 'webp':
      return { name, type, bytes: webp(random, width, height, sample) }
    case 'gif':
      return { name, type, bytes: gif(width, height, sample) }
    default:
      return { name, type, bytes: bmp(width, height, sample) }
  }
}

const colourTypes = [
  { type: 0, channels: 1, depths: [1, 2, 4, 8, 16] },
  { type: 2, channels: 3, depths: [8, 16] },
  { type: 3, channels: 1, depths: [1, 2, 4, 8] },
  { type: 4, channels: 2, depths: [8, 16] },
  { type: 6, channels: 4, depths: [8, 16] },
]

function png(random: Random, width: number, height: number, sample: Sampler): Buffer {
  const { type, channels, depths } = oneOf(random, colourTypes)
  const depth = oneOf(random, depths)
  const rowBytes = Math.ceil((width * channels * depth) / 8)
  const raw = Buffer.alloc((rowBytes + 1) * height)
  for (let y = 0; y < height; y++) {
    const row = y * (rowBytes + 1) + 1
    for (let at = 0; at < rowBytes; at++) raw[row + at] = sample(at % channels, at, y)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, type, 0, 0, random() < 0.1 ? 1 : 0], 8)
  const chunks = [chunk('IHDR', header)]
  if (random() < 0.3) chunks.push(chunk('sRGB', Buffer.from([0])), chunk('gAMA', Buffer.from([0, 0, 177, 143])))
  if (random() < 0.3) chunks.push(chunk('pHYs', Buffer.from([0, 0, 11, 19, 0, 0, 11, 19, 1])))
  if (random() < 0.2) chunks.push(chunk('tEXt', Buffer.from('Software\0A made-up program 1.2')))
  if (type === 3) chunks.push(chunk('PLTE', randomBytes(random, 3 * 2 ** depth)))
  chunks.push(chunk('IDAT', deflateSync(raw, { level: whole(random, 0, 9) })), chunk('IEND', Buffer.alloc(0)))
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks])
}

function chunk(name: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, sum])
}

/** Lossless: no transform, and eight bits for every sample. */
function webp(random: Random, width: number, height: number, sample: Sampler): Buffer {
  const bits = createBits()
  bits.write(0x2f, 8)
  bits.write(width - 1, 14)
  bits.write(height - 1, 14)
  bits.write(random() < 0.5 ? 1 : 0, 1)
  bits.write(0, 3) // version
  bits.write(0, 3) // no transform, no cache of colours, no groups of codes
  for (let code = 0; code < 4; code++) {
    bits.write(0, 1) // not a simple code
    bits.write(8, 4) // twelve lengths of codes: only that of the last, 8, is used
    for (let index = 0; index < 11; index++) bits.write(0, 3)
    bits.write(1, 3)
    bits.write(1, 1) // only so many symbols: 256
    bits.write(3, 3)
    bits.write(254, 8)
  }
  bits.write(1, 1) // distances: one symbol
  bits.write(0, 3)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) for (const channel of [1, 0, 2, 3]) bits.write(sample(channel, x, y) & 255, 8)
  return riff('WEBP', 'VP8L', bits.bytes())
}

function createBits(): { write(value: number, count: number): void; bytes(): Buffer } {
  const bytes: number[] = []
  let held = 0
  let count = 0
  return {
    write(value, length) {
      for (let bit = 0; bit < length; bit++) {
        held |= ((value >> bit) & 1) << count++
        if (count < 8) continue
        bytes.push(held)
        held = 0
        count = 0
      }
    },
    bytes: () => Buffer.from(count > 0 ? [...bytes, held] : bytes),
  }
}

function riff(form: string, name: string, data: Buffer): Buffer {
  const padded = data.length % 2 === 0 ? data : Buffer.concat([data, Buffer.alloc(1)])
  const head = Buffer.alloc(20)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(padded.length + 12, 4)
  head.write(form + name, 8, 'latin1')
  head.writeUInt32LE(data.length, 16)
  return Buffer.concat([head, padded])
}

/** Codes of eight bits that are cleared before they would become longer. */
function gif(width: number, height: number, sample: Sampler): Buffer {
  const head = Buffer.alloc(13)
  head.write('GIF89a', 0, 'latin1')
  head.writeUInt16LE(width, 6)
  head.writeUInt16LE(height, 8)
  head[10] = 0xf6 // 128 colours
  const palette = Buffer.from(Array.from({ length: 384 }, (_, at) => (sample(at % 3, at, 7) * 5 + at) & 255))
  const image = Buffer.alloc(10)
  image[0] = 0x2c
  image.writeUInt16LE(width, 5)
  image.writeUInt16LE(height, 7)
  const codes: number[] = []
  for (let at = 0; at < width * height; at++) {
    if (at % 100 === 0) codes.push(128)
    codes.push(sample(0, at % width, Math.floor(at / width)) & 127)
  }
  codes.push(129)
  const data = Buffer.from(codes)
  const blocks: Buffer[] = []
  for (let at = 0; at < data.length; at += 255) {
    const block = data.subarray(at, at + 255)
    blocks.push(Buffer.from([block.length]), block)
  }
  return Buffer.concat([head, palette, image, Buffer.from([7]), ...blocks, Buffer.from([0, 0x3b])])
}

function bmp(width: number, height: number, sample: Sampler): Buffer {
  const row = Math.ceil((width * 3) / 4) * 4
  const bytes = Buffer.alloc(54 + row * height)
  bytes.write('BM', 0, 'latin1')
  bytes.writeUInt32LE(bytes.length, 2)
  bytes.writeUInt32LE(54, 10)
  bytes.writeUInt32LE(40, 14)
  bytes.writeInt32LE(width, 18)
  bytes.writeInt32LE(height, 22)
  bytes.writeUInt16LE(1, 26)
  bytes.writeUInt16LE(24, 28)
  for (let y = 0; y < height; y++)
    for (let at = 0; at < width * 3; at++) bytes[54 + y * row + at] = sample(at % 3, at, y) & 255
  return bytes
}

/** Documents, sounds and other pictures: a sound head, then random content. */
export function randomFile(random: Random): Picture {
  const noise = randomBytes(random, whole(random, 200, 4000))
  const file = oneOf(random, fileKinds)
  return { name: file.type, type: file.type, bytes: file.write(noise) }
}

const bytesOf = (...parts: (string | number[] | Buffer)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))

function lengthBytes(value: number, isLittle: boolean): Buffer {
  const bytes = Buffer.alloc(4)
  if (isLittle) bytes.writeUInt32LE(value)
  else bytes.writeUInt32BE(value)
  return bytes
}

const fileKinds: { type: string; write(noise: Buffer): Buffer }[] = [
  {
    type: 'application/pdf',
    write: (noise) => {
      const stream = deflateSync(noise)
      const head = `%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`
      return bytesOf(head, stream, '\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n')
    },
  },
  {
    type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    write: (noise) => {
      const name = 'word/document.xml'
      const sum = crc32(noise)
      const data = deflateSync(noise).subarray(2, -4)
      const common = [[0, 8, 8, 0x21, 0x5a, 0x21, 0x5a], lengthBytes(sum, true), lengthBytes(data.length, true)]
      const sizes = [lengthBytes(noise.length, true), [name.length, 0, 0, 0]]
      const local = bytesOf(
        'PK\x03\x04\x14',
        [0],
        [0, 0, 8, 0, 0x21, 0x5a, 0x21, 0x5a],
        ...common.slice(1),
        ...sizes,
        name,
      )
      const central = bytesOf(
        'PK\x01\x02\x14\x00\x14',
        [0],
        [0, 0, 8, 0, 0x21, 0x5a, 0x21, 0x5a],
        ...common.slice(1),
        ...sizes,
      )
      const directory = bytesOf(central, Buffer.alloc(14), name)
      const end = [
        [0, 0, 0, 0, 1, 0, 1, 0],
        lengthBytes(directory.length, true),
        lengthBytes(local.length + data.length, true),
        [0, 0],
      ]
      return bytesOf(local, data, directory, 'PK\x05\x06', ...end)
    },
  },
  {
    type: 'image/avif',
    write: (noise) =>
      bytesOf(
        [0, 0, 0, 28],
        'ftypavif',
        [0, 0, 0, 0],
        'avifmif1miaf',
        lengthBytes(noise.length + 8, false),
        'mdat',
        noise,
      ),
  },
  {
    type: 'image/heic',
    write: (noise) =>
      bytesOf([0, 0, 0, 24], 'ftypheic', [0, 0, 0, 0], 'mif1heic', lengthBytes(noise.length + 8, false), 'mdat', noise),
  },
  {
    type: 'image/tiff',
    write: (noise) =>
      bytesOf(
        'II*\0',
        lengthBytes(8 + noise.length, true),
        noise,
        [1, 0],
        [0, 1, 3, 0, 1, 0, 0, 0, 1, 0, 0, 0],
        [0, 0, 0, 0],
      ),
  },
  {
    type: 'audio/wav',
    write: (noise) => {
      const format = bytesOf([16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1f, 0, 0, 0x80, 0x3e, 0, 0, 2, 0, 16, 0])
      const head = bytesOf('RIFF', lengthBytes(36 + noise.length, true), 'WAVEfmt ', format, 'data')
      return bytesOf(head, lengthBytes(noise.length, true), noise)
    },
  },
  {
    type: 'audio/mpeg',
    write: (noise) => bytesOf('ID3\x04\x00\x00\x00\x00\x00\x0a', Buffer.alloc(10), [0xff, 0xfb, 0x90, 0x64], noise),
  },
  {
    type: 'audio/ogg',
    write: (noise) => bytesOf('OggS\0\x02', Buffer.alloc(8), noise.subarray(0, 4), [0, 0, 0, 0], noise),
  },
  { type: 'audio/flac', write: (noise) => bytesOf('fLaC', [0, 0, 0, 34, 16, 0, 16, 0], noise) },
  { type: 'application/gzip', write: (noise) => bytesOf([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3], deflateSync(noise)) },
]
