// Ways in which a transcript is broken in the field, or could be. Each changes one line of a log or one whole document.
import * as fc from 'fast-check'
import type { Json } from '../../src/core/session.ts'

export interface Damage {
  /** Which file and which line of it, as fractions: the same damage fits every fixture. */
  file: number
  line: number
  /** Where in the line. */
  at: number
  kind: (typeof kinds)[number]
}

const kinds = [
  'flip bytes',
  'cut',
  'duplicate',
  'glue to the next',
  'swap with another',
  'other type',
  'huge number',
  'half an emoji',
  'odd keys',
] as const

export const damages: fc.Arbitrary<Damage[]> = fc.array(
  fc.record({
    file: fraction(),
    line: fraction(),
    at: fraction(),
    kind: fc.constantFrom(...kinds),
  }),
  { minLength: 1, maxLength: 12 },
)

function fraction(): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max: 9999 }).map((number) => number / 10_000)
}

/** A line with the newline that may follow it; lines that were not changed keep their number. */
export interface DamagedLine {
  bytes: Buffer
  isTouched: boolean
  /** Line number in the file as it was. */
  number: number
  isGlued?: boolean
}

export function linesOf(content: Buffer): DamagedLine[] {
  const lines: DamagedLine[] = []
  let start = 0
  for (let at = content.indexOf(10); at >= 0; at = content.indexOf(10, start)) {
    lines.push({ bytes: content.subarray(start, at), isTouched: false, number: lines.length })
    start = at + 1
  }
  if (start < content.length) lines.push({ bytes: content.subarray(start), isTouched: false, number: lines.length })
  return lines
}

export function contentOf(lines: DamagedLine[]): Buffer {
  return Buffer.concat(lines.flatMap(({ bytes, isGlued }) => (isGlued ? [bytes] : [bytes, Buffer.from('\n')])))
}

/** Changes the lines in place. */
export function damage(lines: DamagedLine[], { line, at, kind }: Damage): void {
  if (lines.length === 0) return
  const index = Math.floor(line * lines.length)
  const hit = lines[index]!
  const touch = (bytes: Buffer) => Object.assign(hit, { bytes, isTouched: true })
  switch (kind) {
    case 'flip bytes':
      return void touch(flipped(hit.bytes, at))
    case 'cut':
      return void touch(hit.bytes.subarray(0, Math.floor(hit.bytes.length * at)))
    case 'duplicate':
      lines.splice(index, 0, { ...hit })
      return
    case 'glue to the next':
      hit.isGlued = true
      hit.isTouched = true
      if (lines[index + 1]) lines[index + 1]!.isTouched = true
      return
    case 'swap with another': {
      // The order is part of what a log says: a turn that begins elsewhere, a header that comes late.
      for (const each of lines) each.isTouched = true
      const other = Math.floor(at * lines.length)
      lines[index] = lines[other]!
      lines[other] = hit
      return
    }
    case 'other type':
      return void touch(changed(hit.bytes, at, (value, turn) => otherTypes[turn % otherTypes.length] ?? value))
    case 'huge number':
      return void touch(
        changed(hit.bytes, at, (value, turn) =>
          typeof value === 'number' ? hugeNumbers[turn % hugeNumbers.length]! : value,
        ),
      )
    case 'half an emoji':
      return void touch(changed(hit.bytes, at, (value) => (typeof value === 'string' ? `${value}\ud83d` : value)))
    case 'odd keys':
      return void touch(changed(hit.bytes, at, (value) => (isObject(value) ? withOddKeys(value) : value)))
    default:
      kind satisfies never
  }
}

const otherTypes: Json[] = [null, true, 7, -0.5, '', 'text', [], [null, {}], {}, { type: { type: [] } }]
const hugeNumbers = [1e308, 2 ** 63, 2 ** 64, 2 ** 53, 1e15, -1, 0.1]

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  for (let n = 0; n < 4 && copy.length > 0; n++)
    copy[Math.floor(at * copy.length * (n + 1)) % copy.length]! ^= 1 << (n * 2)
  // A flip may not make a newline: it would be another line.
  return Buffer.from(copy.map((byte) => (byte === 10 ? 11 : byte)))
}

type Change = (value: Json, turn: number) => Json

/** Changes about one value in four, which ones `at` decides; what is no JSON stays. */
function changed(bytes: Buffer, at: number, change: Change): Buffer {
  let turn = Math.floor(at * 1000)
  const walk = (value: Json): Json => {
    turn++
    const own = turn % 4 === 0 ? change(value, turn) : value
    if (own !== value) return own
    if (Array.isArray(value)) return value.map(walk)
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, item === undefined ? null : walk(item)]))
  }
  try {
    return Buffer.from(JSON.stringify(walk(JSON.parse(bytes.toString('utf8')) as Json)))
  } catch {
    return bytes
  }
}

/** As JSON.parse makes them: own keys, which a careless copy would turn into a prototype. */
function withOddKeys(value: { [key: string]: Json | undefined }): Json {
  const odd = JSON.parse('{"__proto__":{"polluted":true},"constructor":"x","toString":1}') as Record<string, Json>
  return Object.fromEntries([...Object.entries(odd), ...Object.entries(value)])
}

function isObject(value: Json): value is { [key: string]: Json | undefined } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
