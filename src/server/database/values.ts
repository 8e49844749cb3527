// How values are written for PostgreSQL and read from it, by the numbers that it gives its types (pg_type.dat; they never change).
// Both drivers use these tables, so that a query means the same on either.

type Reader = (text: string) => unknown
type Writer = (value: unknown) => string

const same: Reader = (text) => text

/** Its number, that of arrays of it, and how it is read. */
const types: readonly [type: number, array: number, read: Reader][] = [
  [16, 1000, (text) => text === 't'],
  [17, 1001, (text) => Buffer.from(text.slice(2), 'hex')],
  [20, 1016, Number],
  [21, 1005, Number],
  [23, 1007, Number],
  [25, 1009, same],
  [114, 199, JSON.parse],
  [700, 1021, Number],
  [701, 1022, Number],
  [1043, 1015, same],
  [1082, 1182, same],
  [1114, 1115, same],
  [1184, 1185, readMoment],
  [1700, 1231, same],
  [2950, 2951, same],
  [3802, 3807, JSON.parse],
]

export const readers: Record<number, Reader> = Object.fromEntries(
  types.flatMap(([type, array, read]) => [
    [type, read],
    [array, (text: string) => readArray(text, read)],
  ]),
)

export const writers: Record<number, Writer> = Object.fromEntries(
  types.flatMap(([type, array]) => [
    [type, write],
    [array, writeArray],
  ]),
)

/** A text for a column of JSON is JSON already; anything else becomes it. */
function write(value: unknown): string {
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function writeArray(value: unknown): string {
  if (!Array.isArray(value)) return write(value)
  return `{${value.map((item) => (item == null ? 'NULL' : `"${write(item).replace(/["\\]/g, '\\$&')}"`)).join(',')}}`
}

/** Of one dimension. Whatever could be mistaken stands in quotes, also what is empty. */
function readArray(text: string, read: Reader): unknown[] {
  const items = text.slice(1, -1).match(/"(?:[^"\\]|\\.)*"|[^,]+/gs) ?? []
  return items.map((item) => {
    if (item === 'NULL') return null
    return read(item.startsWith('"') ? item.slice(1, -1).replace(/\\(.)/gs, '$1') : item)
  })
}

/** `2026-03-01 10:00:00.123456+00` as `2026-03-01T10:00:00.123Z`. */
function readMoment(text: string): string {
  const at = Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
  return Number.isNaN(at) ? text : new Date(at).toISOString()
}
