// Questions made from what is stored: words that somebody might remember of a sentence, some of them
// with one word that was never there; and the bug reports of the decisions benchmark.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ledger } from '../src/store/ledger.ts'
import { documentFrequency } from '../src/store/search/postings/lookup.ts'
import { readBody } from '../src/store/sessions/bodies.ts'
import { bodyOfSession } from '../src/store/sessions/session-bodies.ts'
import { listSessions } from '../src/store/sessions/sessions.ts'
import { termsOf } from '../src/text/terms.ts'
import { randomFrom } from './measure.ts'

interface MadeQuestion {
  query: string
  isAnswerable: boolean
  set: string
}

/** The bug reports with their variants; none without the benchmark. */
export function reportsIn(folder: string | null): (isAnswerable: boolean) => MadeQuestion[] {
  if (folder === null) return () => []
  const { tasks } = JSON.parse(readFileSync(join(folder, 'tasks.json'), 'utf8')) as {
    tasks: { source: string; queries: Record<string, string> }[]
  }
  const reports = tasks.filter(({ source }) => source === 'conversation')
  return (isAnswerable) =>
    ['bug', 'symptom'].flatMap((kind) =>
      reports.map(({ queries }) => ({ query: queries[kind]!, isAnswerable, set: `reports (${kind})` })),
    )
}

/** `count` questions of remembered words, and as many with one word from elsewhere. */
export function wordsFrom(ledger: Ledger, count: number): MadeQuestion[] {
  const random = randomFrom(count)
  const sentences = sentencesIn(ledger)
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)]!
  const rarity = (word: string) => Math.min(...termsOf(word).map((term) => documentFrequency(ledger, term)))
  const remembered = () => {
    for (;;) {
      const some = pick(sentences).filter(() => random() < 0.6)
      if (some.length < 4) continue
      const rarest = some.toSorted((a, b) => rarity(a) - rarity(b)).slice(0, 3 + Math.floor(random() * 4))
      return some.filter((word) => rarest.includes(word))
    }
  }
  return Array.from({ length: count }, () => {
    const words = remembered()
    const other = words.with(Math.floor(random() * words.length), pick(pick(sentences)))
    return [
      { query: words.join(' '), isAnswerable: true, set: 'remembered words' },
      { query: other.join(' '), isAnswerable: true, set: 'remembered words, one wrong' },
    ]
  }).flat()
}

const minWords = 7
const maxWords = 40

/** The different words of each sentence that was said. */
function sentencesIn(ledger: Ledger): string[][] {
  const said = listSessions(ledger, { isConversation: true }).flatMap(({ id }) => {
    const body = bodyOfSession(ledger, id)
    const events = body ? [...readBody(ledger.layout.bodies, body.file, body.bytes)] : []
    return events.filter(({ kind }) => kind === 'prompt' || kind === 'reply').map(({ text }) => text)
  })
  return said
    .flatMap((text) => text.replace(/```[\s\S]*?```/g, ' ').split(/(?<=[.!?])\s+|\n/))
    .map((sentence) => [...new Set(sentence.match(/[\p{L}\p{N}_'.-]+/gu))].filter((word) => termsOf(word).length > 0))
    .filter((words) => words.length >= minWords && words.length < maxWords && words.every((word) => word.length < 30))
}
