// Hashes by which client and server compare items: a content hash, and a mark that can be summed
// up.
import { createHash } from 'node:crypto'
import type { ShareDocument } from './documents.ts'
import type { ItemDocument } from './protocol.ts'

/** The hash of deleted items. */
export const deletedHash = 'deleted'

export function hashOfDocument(document: ItemDocument | null): string {
  if (document === null) return deletedHash
  return createHash('sha256').update(canonical(document)).digest('base64url').slice(0, 22)
}

/** JSON with sorted keys. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
}

/** Which of the 256 buckets of a space an item belongs to. */
export function bucketOf(id: string): number {
  return createHash('sha256').update(id).digest()[0]!
}

/** A 40-bit checksum of id and content; sums of them stay exact as numbers. */
export function markOf(id: string, hash: string): number {
  return createHash('sha256').update(`${id} ${hash}`).digest().readUIntBE(0, 5)
}

/** Derived from subject and target, so that every machine uses the same id. */
export function shareIdOf({ subject, with: target }: Pick<ShareDocument, 'subject' | 'with'>): string {
  const name = subject.kind === 'memory' ? subject.id : subject.tag
  const digest = createHash('sha256').update(JSON.stringify([subject.kind, name, target]))
  return `s-${digest.digest('hex').slice(0, 12)}`
}
