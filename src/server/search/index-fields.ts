// Derives the search columns of an item from its document.
import { createHash } from 'node:crypto'
import type { ItemDocument, ItemKind } from '../../sync/protocol.ts'
import { termsOf } from '../../text/terms.ts'

export interface IndexFields {
  project: string | null
  tags: string[]
  /** Equal for memories of a project with the same text; null for other items. */
  textHash: string | null
  /** A tsvector literal; null for items that no search finds. */
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

/** Document keys of all kinds by weight. */
const weightedKeys = {
  A: ['text', 'title'],
  B: ['why', 'apply', 'content', 'note', 'goal'],
  C: ['keywords'],
  D: ['tags', 'kind'],
} as const

/** Limits of PostgreSQL for positions in a text and of one lexeme. */
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
        // A gap, so that words of two texts are not adjacent.
        place = Math.min(maxPosition, place + 10)
      }
    }
  }
  const prefix = spacePrefix(spaceId)
  return [...places].map(([term, at]) => `${quotedLexeme(prefix, term)}:${at.join(',')}`).join(' ')
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/**
 * A quoted lexeme, prefixed by the space: the index then has no entries of other spaces to skip.
 */
export function lexemeOf(spaceId: string, term: string): string {
  return quotedLexeme(spacePrefix(spaceId), term)
}

function quotedLexeme(prefix: string, term: string): string {
  return `'${prefix}${term.replace(/['\\]/g, '$&$&')}'`
}

/** Not unique, so queries name the space as well. */
function spacePrefix(spaceId: string): string {
  return Buffer.from(spaceId.replaceAll('-', '').slice(-8), 'hex').toString('base64url')
}
