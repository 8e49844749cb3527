// File names of articles: readable, and never the same file twice, on a disk that ignores case or composes letters another way.
import { createHash } from 'node:crypto'
import { truncate } from './truncate.ts'

const maxSlug = 80
/** Windows opens a device by these, whatever the ending. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/** Lower case, words joined by hyphens; letters of other scripts stay. */
export function slugOf(title: string): string {
  const words = folded(title)
    .replace(/[\s_./\\:-]+/gu, '-')
    .replace(/[^\p{L}\p{N}\p{M}-]+/gu, '')
    .replace(/-{2,}/g, '-')
  const slug = truncate(words, maxSlug).replace(/^-+|-+$/g, '')
  return slug === '' || devices.test(slug) ? `topic-${hashOf(title)}` : slug
}

/** Two slugs with the same key would be one file somewhere. */
export function slugKey(slug: string): string {
  return folded(slug).toUpperCase().normalize('NFKC').toLowerCase()
}

/** A slug that is not taken: with `qualifier`, such as the name of the project, behind it, or else with a hash of `identity`. */
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
