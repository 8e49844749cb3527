// A baseline JPEG encoder, small enough to read: blocks of 8 x 8, the standard code tables.
import type { Sampler } from './pictures.ts'

export interface JpegOptions {
  width: number
  height: number
  isGrey: boolean
  /** From 0 to 1. */
  quality: number
}

const zigzag = Array.from({ length: 64 }, (_, index) => ({ x: index % 8, y: index >> 3 }))
  .sort((a, b) => a.x + a.y - (b.x + b.y) || ((a.x + a.y) % 2 === 0 ? b.y - a.y : a.y - b.y))
  .map(({ x, y }) => y * 8 + x)

/** Numbers of codes by length, then the values: those of the standard for luminance. */
const directCounts = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
const directValues = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
const changingCounts = [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125]
const changingValues = Buffer.from(
  '01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a' +
    '434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8' +
    'a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa',
  'hex',
)

interface Code {
  bits: number
  length: number
}

function codesOf(counts: readonly number[], values: Iterable<number>): Map<number, Code> {
  const codes = new Map<number, Code>()
  const remaining = [...values]
  let bits = 0
  for (const [index, count] of counts.entries()) {
    for (let at = 0; at < count; at++) codes.set(remaining.shift()!, { bits: bits++, length: index + 1 })
    bits <<= 1
  }
  return codes
}

const directCodes = codesOf(directCounts, directValues)
const changingCodes = codesOf(changingCounts, changingValues)
const cosines = Array.from({ length: 64 }, (_, at) => Math.cos(((2 * (at >> 3) + 1) * (at & 7) * Math.PI) / 16))

export function encodeJpeg({ width, height, isGrey, quality }: JpegOptions, sample: Sampler): Buffer {
  const channels = isGrey ? 1 : 3
  const step = 1 + Math.floor((1 - quality) * 60)
  const table = Array.from({ length: 64 }, (_, at) => Math.min(255, step + (at >> 2)))
  const components = Array.from({ length: channels }, (_, index) => [index + 1, 0x11, 0]).flat()
  const head = [
    [0xff, 0xd8],
    segment(0xe0, [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    segment(0xdb, [0, ...table]),
    segment(0xc0, [8, height >> 8, height & 255, width >> 8, width & 255, channels, ...components]),
    segment(0xc4, [0x00, ...directCounts, ...directValues]),
    segment(0xc4, [0x10, ...changingCounts, ...changingValues]),
    segment(0xda, [channels, ...Array.from({ length: channels }, (_, index) => [index + 1, 0]).flat(), 0, 63, 0]),
  ]
  const bits = createBits()
  const before = [0, 0, 0]
  for (let y = 0; y < height; y += 8)
    for (let x = 0; x < width; x += 8)
      for (let channel = 0; channel < channels; channel++) {
        const block = transformed((dx, dy) => sample(channel, x + dx, y + dy) - 128)
        const values = zigzag.map((place, index) => Math.round(block[place]! / table[index]!))
        writeBlock(values, before[channel]!, bits)
        before[channel] = values[0]!
      }
  return Buffer.concat([Buffer.from(head.flat()), bits.bytes(), Buffer.from([0xff, 0xd9])])
}

function segment(marker: number, content: number[]): number[] {
  return [0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255, ...content]
}

function transformed(at: (x: number, y: number) => number): number[] {
  const samples = Array.from({ length: 64 }, (_, index) => at(index & 7, index >> 3))
  const rows = new Array<number>(64)
  for (let y = 0; y < 8; y++)
    for (let u = 0; u < 8; u++) {
      let sum = 0
      for (let x = 0; x < 8; x++) sum += samples[y * 8 + x]! * cosines[x * 8 + u]!
      rows[y * 8 + u] = sum
    }
  const block = new Array<number>(64)
  for (let u = 0; u < 8; u++)
    for (let v = 0; v < 8; v++) {
      let sum = 0
      for (let y = 0; y < 8; y++) sum += rows[y * 8 + u]! * cosines[y * 8 + v]!
      block[v * 8 + u] = (sum / 4) * (u === 0 ? Math.SQRT1_2 : 1) * (v === 0 ? Math.SQRT1_2 : 1)
    }
  return block
}

type Bits = ReturnType<typeof createBits>

function createBits(): { write(code: Code): void; bytes(): Buffer } {
  const bytes: number[] = []
  let held = 0
  let count = 0
  const push = (byte: number) => {
    bytes.push(byte)
    if (byte === 0xff) bytes.push(0)
  }
  return {
    write({ bits, length }) {
      for (let bit = length - 1; bit >= 0; bit--) {
        held = (held << 1) | ((bits >> bit) & 1)
        if (++count < 8) continue
        push(held)
        held = 0
        count = 0
      }
    },
    bytes() {
      while (count > 0) this.write({ bits: 1, length: 1 })
      return Buffer.from(bytes)
    },
  }
}

function writeBlock(values: readonly number[], before: number, bits: Bits): void {
  writeValue(values[0]! - before, 0, directCodes, bits)
  let zeros = 0
  const last = values.findLastIndex((value, index) => index > 0 && value !== 0)
  for (let index = 1; index <= last; index++) {
    if (values[index] === 0) {
      zeros++
      continue
    }
    for (; zeros > 15; zeros -= 16) bits.write(changingCodes.get(0xf0)!)
    writeValue(values[index]!, zeros, changingCodes, bits)
    zeros = 0
  }
  if (last < 63) bits.write(changingCodes.get(0)!)
}

function writeValue(value: number, zeros: number, codes: Map<number, Code>, bits: Bits): void {
  const limited = Math.max(-1023, Math.min(1023, value))
  const length = 32 - Math.clz32(Math.abs(limited))
  bits.write(codes.get((zeros << 4) | length)!)
  if (length > 0) bits.write({ bits: limited > 0 ? limited : limited + (1 << length) - 1, length })
}
