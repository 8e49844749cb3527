// What the database keeps of an item beside its document, so that it can be found, filtered and told from others.
import { createHash } from 'node:crypto'
import type { ItemDocument, ItemKind } from '../../sync/protocol.ts'
import { termsOf } from '../../text/terms.ts'

export interface IndexFields {
  project: string | null
  tags: string[]
  /** Equal where two memories of a project say the same; null for what is no memory that holds. */
  textHash: string | null
  /** A tsvector, written out; null for what no search finds. */
  search: string | null
  importance: number
}

export function indexFieldsOf(spaceId: string, kind: ItemKind, document: ItemDocument | null): IndexFields {
  if (document === null) return { project: null, tags: [], textHash: null, search: null, importance: 0 }
  const project = typeof document.project === 'string' ? document.project : null
  const isKept = document.state !== 'inbox'
  const holds = kind === 'memory' && isKept && !document.supersededBy
  return {
    project,
    tags: textsOf(document.tags),
    textHash: holds ? textHashOf(project, textsOf(document.text).join(' ')) : null,
    search: kind !== 'share' && isKept ? tsvectorOf(spaceId, document) : null,
    importance: typeof document.importance === 'number' ? Math.min(1, Math.max(0, document.importance)) : 0,
  }
}

function textHashOf(project: string | null, text: string): string {
  const said = text.normalize('NFKC').toLowerCase().replace(/\s+/g, '')
  return createHash('sha256')
    .update(JSON.stringify([project, said]))
    .digest('base64url')
    .slice(0, 22)
}

/** Keys of all kinds, in the order of what they weigh. */
const weightedKeys = {
  A: ['text', 'title'],
  B: ['why', 'apply', 'content', 'note', 'goal'],
  C: ['keywords'],
  D: ['tags', 'kind'],
} as const

/** More places than this are not kept by the database, neither in a text nor for one lexeme of it. */
const maxPosition = 16_383
const maxPositionsPerLexeme = 255

function tsvectorOf(spaceId: string, document: ItemDocument): string {
  const places = new Map<string, string[]>()
  let place = 0
  for (const [weight, keys] of Object.entries(weightedKeys)) {
    for (const key of keys) {
      for (const text of textsOf(document[key])) {
        for (const term of termsOf(text)) {
          place = Math.min(maxPosition, place + 1)
          const known = places.get(term)
          if (!known) places.set(term, [`${place}${weight}`])
          else if (known.length < maxPositionsPerLexeme) known.push(`${place}${weight}`)
        }
        // Words of two texts are no neighbours.
        place = Math.min(maxPosition, place + 10)
      }
    }
  }
  return [...places].map(([term, at]) => `${lexemeOf(spaceId, term)}:${at.join(',')}`).join(' ')
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

// A term as the index holds it. Each begins with its space: the places of a word in other people's spaces are not walked to find those in
// one's own, and what is frequent is told by the space that is asked.

/** As tsvector and tsquery read it, whatever characters it has. */
export function lexemeOf(spaceId: string, term: string): string {
  return `'${`${spacePrefix(spaceId)}${term}`.replace(/['\\]/g, '$&$&')}'`
}

/** Two spaces may have the same one: a search names the space as well. */
function spacePrefix(spaceId: string): string {
  return Buffer.from(spaceId.replaceAll('-', '').slice(-8), 'hex').toString('base64url')
}
