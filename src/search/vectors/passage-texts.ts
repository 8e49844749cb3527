// Reads the text of passages from their sources: the index stores only terms, and a model needs
// text.

import type { Ledger } from '../../store/ledger.ts'
import { memoriesByNumber } from '../../store/memories/memories.ts'
import { searchTextOf } from '../../store/search/index-session.ts'
import { sessionOfHit } from '../../store/search/passage-search.ts'
import { type PassageSource, passageId, passageSource, type StandaloneKind } from '../../store/search/passages.ts'
import { splitPassages } from '../../store/search/split-passages.ts'
import { readBody } from '../../store/sessions/bodies.ts'
import { commitsByNumber } from '../../store/sessions/commits.ts'
import { summariseEvent } from '../../store/sessions/events.ts'
import { articlesByNumber, daysByNumber } from '../../store/wiki/articles.ts'

/** Passages whose text was deleted or cannot be read are left out. */
export function passageTexts(ledger: Ledger, ids: readonly number[]): Map<number, string> {
  const wanted = ids.map((id) => ({ id, source: passageSource(id) }))
  const texts = new Map<number, string>()
  for (const [source, said] of [
    ...eventTexts(ledger, wanted),
    ...digestTexts(ledger, wanted),
    ...standaloneTexts(ledger, wanted),
  ]) {
    const parts = splitPassages(said, maxParts)
    for (const [part, text] of parts.entries()) texts.set(passageId(source, part), text)
  }
  return new Map(ids.flatMap((id) => (texts.has(id) ? [[id, texts.get(id)!] as const] : [])))
}

/** Limit of parts in a passage id. */
const maxParts = 32

interface WantedPassage {
  id: number
  source: PassageSource
}

type SourceText = [source: PassageSource, text: string]

/** Reads each body once, from the first wanted event to the last. */
function eventTexts(ledger: Ledger, wanted: readonly WantedPassage[]): SourceText[] {
  const places = wanted.flatMap(({ source }) => (source.kind === 'event' ? [source] : []))
  return [...Map.groupBy(places, ({ session }) => session)].flatMap(([session, own]) => {
    const seqs = new Set(own.map(({ seq }) => seq))
    const { body } = sessionOfHit(ledger, session)
    return body ? bodyTexts(ledger, body, session, seqs) : []
  })
}

function bodyTexts(
  ledger: Ledger,
  { file, bytes }: { file: string; bytes: number },
  session: number,
  seqs: ReadonlySet<number>,
): SourceText[] {
  const said: SourceText[] = []
  const last = Math.max(...seqs)
  try {
    for (const { seq, ...event } of readBody(ledger.layout.bodies, file, bytes, Math.min(...seqs))) {
      if (seq > last) break
      if (seqs.has(seq)) said.push([{ kind: 'event', session, seq }, searchTextOf(summariseEvent(event))?.said ?? ''])
    }
  } catch {
    return said
  }
  return said
}

function digestTexts(ledger: Ledger, wanted: readonly WantedPassage[]): SourceText[] {
  return wanted.flatMap(({ source }) => {
    if (source.kind !== 'digest') return []
    const { title, goal } = sessionOfHit(ledger, source.session)
    return [[source, [title, goal].filter(Boolean).join('\n')] as SourceText]
  })
}

function standaloneTexts(ledger: Ledger, wanted: readonly WantedPassage[]): SourceText[] {
  const numbersOf = (kind: StandaloneKind) =>
    wanted.flatMap(({ source }) => (source.kind === kind && 'number' in source ? [source.number] : []))
  // Forgotten memories stay in the index but are never sent to a model.
  const memories = [...memoriesByNumber(ledger, numbersOf('memory'))]
    .filter(([, { state }]) => state !== 'forgotten')
    .map(
      ([number, { text, why, apply }]): SourceText => [
        { kind: 'memory', number },
        [text, why, apply].filter(Boolean).join('\n'),
      ],
    )
  const commits = [...commitsByNumber(ledger, numbersOf('commit'))].map(
    ([number, { message }]): SourceText => [{ kind: 'commit', number }, message],
  )
  const articles = [...articlesByNumber(ledger, numbersOf('article'))].map(
    ([number, { said }]): SourceText => [{ kind: 'article', number }, said],
  )
  const days = [...daysByNumber(ledger, numbersOf('journal'))].map(
    ([number, { said }]): SourceText => [{ kind: 'journal', number }, said],
  )
  return [...memories, ...commits, ...articles, ...days]
}
