// Generates memories for the server benchmark from words of this repository's documents, so that
// some are frequent and most are rare, with a number that makes each unique.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ItemDocument } from '../src/sync/protocol.ts'

const root = join(import.meta.dirname, '..')

const words = [
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
  'README.md',
  'ARCHITECTURE.md',
]
  .flatMap((path) => readFileSync(join(root, path), 'utf8').match(/[\p{L}_]{2,}/gu) ?? [])
  // The server refuses what looks like a password, and the documents have examples of it.
  .filter((word) => word.length < 30 && !/password|secret/i.test(word))

const at = '2026-11-01T12:00:00.000Z'

export function madeUpDocument(number: number): ItemDocument {
  const random = randomOf(number)
  const text = `${said(random, 14 + Math.floor(random() * 28))} ticket${number}`
  return {
    project: `github.com/dev/app-${number % 20}`,
    type: 'project',
    kind: 'decision',
    status: 'settled',
    state: 'kept',
    text,
    why: said(random, 12),
    apply: number % 3 === 0 ? said(random, 8) : null,
    importance: Math.round(random() * 10) / 10,
    tags: [`area-${number % 40}`],
    keywords: said(random, 6).split(' '),
    evidence: [
      { session: `claude-code:${number >> 2}`, event: String(number), quote: text.slice(0, 160) },
      { session: `claude-code:${number >> 3}`, event: String(number), quote: text.slice(0, 80) },
    ],
    trust: 'user said',
    learnedAt: at,
    validFrom: at,
    confirmedAt: at,
    supersededAt: null,
    supersededBy: null,
    contradicts: null,
    doubt: null,
    said: 1,
    version: 1,
    origin: 'laptop',
  }
}

/** Six words in the order of the memory. */
export function madeUpQuestion(number: number): string {
  const random = randomOf(number + 0.5)
  return said(random, 6)
}

function said(random: () => number, count: number): string {
  const from = Math.floor(random() * (words.length - count))
  return words.slice(from, from + count).join(' ')
}

/** Seeded, so that every run has the same numbers. */
function randomOf(seed: number): () => number {
  let state = Math.floor(seed * 2_654_435_769) >>> 0
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }
}
