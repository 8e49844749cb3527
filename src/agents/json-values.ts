// Reads values of foreign JSON, where any field may be missing, null or of another type.
import { createHash } from 'node:crypto'
import { parseForeignJson } from '../core/foreign-json.ts'
import type { Json } from '../core/session.ts'

export type JsonObject = Record<string, Json | undefined>

const emptyObject: JsonObject = Object.freeze({})

export function asObject(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : emptyObject
}

export function asArray(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}

export function asString(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** The string, or undefined if it is empty or missing: for optional properties. */
export function optionalString(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function asCount(value: Json | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0
}

export function asUsd(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

/** ISO time of an ISO string, epoch seconds or milliseconds; null for any other value. */
export function asIsoTime(value: Json | undefined): string | null {
  if (typeof value === 'string')
    return /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value)) ? value : null
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return null
  const ms = value < 1e11 ? value * 1000 : value
  return ms < endOf9999 ? new Date(ms).toISOString() : null
}

/** Later years have more than four digits: their texts do not sort, and no day begins with them. */
const endOf9999 = 253_402_300_800_000

export function parseJson(source: string): Json | undefined {
  try {
    return parseForeignJson(source).value
  } catch {
    return undefined
  }
}

/** A key for records without id, made of session, position and content. */
export function fingerprint(...parts: (string | number | null | undefined)[]): string {
  return createHash('sha1')
    .update(parts.map((part) => String(part ?? '')).join('\u0000'))
    .digest('base64url')
    .slice(0, 20)
}

/** The parts of `data:image/png;base64,…`; undefined for any other address. A pattern would be quadratic. */
export function parseDataUrl(url: string): { mediaType: string | undefined; data: string } | undefined {
  const comma = url.indexOf(',')
  if (!url.startsWith('data:') || comma < 0) return undefined
  const mediaType = url.slice('data:'.length, comma).split(';', 1)[0]
  return { mediaType: mediaType || undefined, data: url.slice(comma + 1) }
}

/** Placeholder of an image or other binary content. */
export function imagePlaceholder(mediaType: string | undefined, base64: string): string {
  const size = Math.round((base64.length * 3) / 4 / 1024)
  return `[image ${mediaType ?? 'of unknown type'}${size > 0 ? `, ${size} KB` : ''}]`
}
