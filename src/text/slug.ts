// Readable file names from titles, unique also on file systems that ignore case or normalise
// Unicode.
import { createHash } from 'node:crypto'
import { truncate } from './truncate.ts'

const maxSlug = 80
/** Device names on Windows, with any extension. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/** Lower case, words joined by hyphens; letters of other scripts are kept. */
export function slugOf(title: string): string {
  const words = folded(title)
    .replace(/[\s_./\\:-]+/gu, '-')
    .replace(/[^\p{L}\p{N}\p{M}-]+/gu, '')
    .replace(/-{2,}/g, '-')
  const slug = truncate(words, maxSlug).replace(/^-+|-+$/g, '')
  return slug === '' || devices.test(slug) ? `topic-${hashOf(title)}` : slug
}

/** Slugs with the same key name the same file on some file system. */
export function slugKey(slug: string): string {
  return folded(slug).toUpperCase().normalize('NFKC').toLowerCase()
}

/**
 * An unused slug: if taken, followed by `qualifier` (such as the project), else by a hash of
 * `identity`.
 */
export function freeSlug(
  title: string,
  { qualifier, identity, isTaken }: { qualifier: string; identity: string; isTaken(key: string): boolean },
): string {
  const slug = slugOf(title)
  const choices = [slug, slugOf(`${slug} ${qualifier}`), `${slug}-${hashOf(identity)}`]
  return choices.find((choice) => !isTaken(slugKey(choice))) ?? `${slug}-${hashOf(`${identity} again`)}`
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC')
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
