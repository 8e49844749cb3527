import type { Json } from '../../core/session.ts'
import { parseJson } from '../json-values.ts'

/** Values are text or bytes, and some are JSON inside a JSON string. */
export function decode(value: unknown): Json | undefined {
  const source = value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value
  if (typeof source !== 'string') return undefined
  const parsed = parseJson(source)
  return typeof parsed === 'string' ? (parseJson(parsed) ?? parsed) : parsed
}
