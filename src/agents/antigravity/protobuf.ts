// Reads protobuf messages without their definition, by the numbers of fields. Every field may be
// missing, because zeros and empty texts are not written; damaged data ends a message early.

/** A number, or the bytes of a text or of another message. */
export type ProtoValue = number | Uint8Array

/** The value at the end of a path of field numbers; of a repeated field the last one counts. */
export function fieldAt(message: Uint8Array, ...path: number[]): ProtoValue | undefined {
  const [number, ...rest] = path
  let found: ProtoValue | undefined
  for (const field of fieldsOf(message)) if (field.number === number) found = field.value
  if (rest.length === 0) return found
  return found instanceof Uint8Array ? fieldAt(found, ...rest) : undefined
}

/** Zero if the field is missing or no number. */
export function countAt(message: Uint8Array, ...path: number[]): number {
  const value = fieldAt(message, ...path)
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : 0
}

/** Empty if the field is missing or no text: another message may be in its place. */
export function textAt(message: Uint8Array, ...path: number[]): string {
  const value = fieldAt(message, ...path)
  if (!(value instanceof Uint8Array)) return ''
  try {
    const text = utf8.decode(value)
    return hasControls.test(text) ? '' : text
  } catch {
    return ''
  }
}

/** Seconds of a `Timestamp` since 1970, with fractions; zero if it is missing. */
export function secondsAt(message: Uint8Array, ...path: number[]): number {
  return countAt(message, ...path, 1) + countAt(message, ...path, 2) / 1e9
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** Only messages have them. */
const hasControls = /[\u0000-\u0008\u000e-\u001f]/

interface ProtoField {
  number: number
  value: ProtoValue
}

function* fieldsOf(message: Uint8Array): Generator<ProtoField> {
  for (let at = 0; at < message.length; ) {
    const tag = varintAt(message, at)
    if (!tag) return
    const number = Math.floor(tag.value / 8)
    const field = valueAt(message, tag.end, tag.value % 8)
    if (!field || number === 0) return
    yield { number, value: field.value }
    at = field.end
  }
}

function valueAt(message: Uint8Array, at: number, wireType: number): { value: ProtoValue; end: number } | undefined {
  if (wireType === 0) return varintAt(message, at)
  const length = wireType === 2 ? varintAt(message, at) : fixedLength(wireType, at)
  if (!length || length.end + length.value > message.length) return undefined
  const end = length.end + length.value
  return { value: message.subarray(length.end, end), end }
}

function fixedLength(wireType: number, at: number): { value: number; end: number } | undefined {
  if (wireType === 1) return { value: 8, end: at }
  return wireType === 5 ? { value: 4, end: at } : undefined
}

/** Numbers above 2^53 lose their last digits. */
function varintAt(message: Uint8Array, from: number): { value: number; end: number } | undefined {
  let value = 0
  for (let at = from; at < message.length && at < from + 10; at++) {
    const byte = message[at]!
    value += (byte & 0x7f) * 2 ** (7 * (at - from))
    if (byte < 0x80) return { value, end: at + 1 }
  }
  return undefined
}
