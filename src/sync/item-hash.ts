// How both sides tell whether they have the same: a hash of what an item says, and a mark that can be added up.
import { createHash } from 'node:crypto'
import type { ShareDocument } from './documents.ts'
import type { ItemDocument } from './protocol.ts'

/** The hash of an item that was deleted. */
export const deletedHash = 'deleted'

export function hashOfDocument(document: ItemDocument | null): string {
  if (document === null) return deletedHash
  return createHash('sha256').update(canonical(document)).digest('base64url').slice(0, 22)
}

/** The same for the same content, whatever order its keys came in. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
}

/** Which of 256 parts of a space an item belongs to. */
export function bucketOf(id: string): number {
  return createHash('sha256').update(id).digest()[0]!
}

/** Of an item at one content. Sums of them stay exact: 40 bits each. */
export function markOf(id: string, hash: string): number {
  return createHash('sha256').update(`${id} ${hash}`).digest().readUIntBE(0, 5)
}

/** The same for the same subject and the same reader, whoever says it. */
export function shareIdOf({ subject, with: target }: Pick<ShareDocument, 'subject' | 'with'>): string {
  const name = subject.kind === 'memory' ? subject.id : subject.tag
  const digest = createHash('sha256').update(JSON.stringify([subject.kind, name, target]))
  return `s-${digest.digest('hex').slice(0, 12)}`
}
