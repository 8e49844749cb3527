// Serialisation of values by PostgreSQL type number (pg_type.dat; the numbers never change). Both
// drivers use these tables, so that queries behave the same.

type Parser = (text: string) => unknown
type Serializer = (value: unknown) => string

const asText: Parser = (text) => text

/** The type number, the number of its array type, and the parser. */
const types: readonly [type: number, array: number, read: Parser][] = [
  [16, 1000, (text) => text === 't'],
  [17, 1001, (text) => Buffer.from(text.slice(2), 'hex')],
  [20, 1016, Number],
  [21, 1005, Number],
  [23, 1007, Number],
  [25, 1009, asText],
  [114, 199, JSON.parse],
  [700, 1021, Number],
  [701, 1022, Number],
  [1043, 1015, asText],
  [1082, 1182, asText],
  [1114, 1115, asText],
  [1184, 1185, parseTimestamp],
  [1700, 1231, asText],
  [2950, 2951, asText],
  [3802, 3807, JSON.parse],
]

export const parsers: Record<number, Parser> = Object.fromEntries(
  types.flatMap(([type, array, read]) => [
    [type, read],
    [array, (text: string) => parseArray(text, read)],
  ]),
)

export const serializers: Record<number, Serializer> = Object.fromEntries(
  types.flatMap(([type, array]) => [
    [type, serialize],
    [array, serializeArray],
  ]),
)

/** Strings for JSON columns are already JSON; other values are serialised. */
function serialize(value: unknown): string {
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function serializeArray(value: unknown): string {
  if (!Array.isArray(value)) return serialize(value)
  return `{${value.map((item) => (item == null ? 'NULL' : `"${serialize(item).replace(/["\\]/g, '\\$&')}"`)).join(',')}}`
}

/** One dimension. Ambiguous and empty elements are quoted. */
function parseArray(text: string, read: Parser): unknown[] {
  const items = text.slice(1, -1).match(/"(?:[^"\\]|\\.)*"|[^,]+/gs) ?? []
  return items.map((item) => {
    if (item === 'NULL') return null
    return read(item.startsWith('"') ? item.slice(1, -1).replace(/\\(.)/gs, '$1') : item)
  })
}

/** `2026-03-01 10:00:00.123456+00` as `2026-03-01T10:00:00.123Z`. */
function parseTimestamp(text: string): string {
  const at = Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
  return Number.isNaN(at) ? text : new Date(at).toISOString()
}
