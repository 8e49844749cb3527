// What a passage says, read again from where it came from: only its terms are kept, and a model needs words.

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

/** A passage whose text is gone or cannot be read is left out. */
export function textsOf(ledger: Ledger, ids: readonly number[]): Map<number, string> {
  const wanted = ids.map((id) => ({ id, source: passageSource(id) }))
  const texts = new Map<number, string>()
  for (const [source, said] of [...ofEvents(ledger, wanted), ...ofDigests(ledger, wanted), ...ofLone(ledger, wanted)]) {
    const parts = splitPassages(said, maxParts)
    for (const [part, text] of parts.entries()) texts.set(passageId(source, part), text)
  }
  return new Map(ids.flatMap((id) => (texts.has(id) ? [[id, texts.get(id)!] as const] : [])))
}

/** As many as an id has room for. */
const maxParts = 32

interface Wanted {
  id: number
  source: PassageSource
}

type Said = [source: PassageSource, text: string]

/** A body is read once, from the first event that is wanted to the last. */
function ofEvents(ledger: Ledger, wanted: readonly Wanted[]): Said[] {
  const places = wanted.flatMap(({ source }) => (source.kind === 'event' ? [source] : []))
  return [...Map.groupBy(places, ({ session }) => session)].flatMap(([session, own]) => {
    const seqs = new Set(own.map(({ seq }) => seq))
    const { body } = sessionOfHit(ledger, session)
    return body ? saidAt(ledger, body, session, seqs) : []
  })
}

function saidAt(
  ledger: Ledger,
  { file, bytes }: { file: string; bytes: number },
  session: number,
  seqs: ReadonlySet<number>,
): Said[] {
  const said: Said[] = []
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

function ofDigests(ledger: Ledger, wanted: readonly Wanted[]): Said[] {
  return wanted.flatMap(({ source }) => {
    if (source.kind !== 'digest') return []
    const { title, goal } = sessionOfHit(ledger, source.session)
    return [[source, [title, goal].filter(Boolean).join('\n')] as Said]
  })
}

function ofLone(ledger: Ledger, wanted: readonly Wanted[]): Said[] {
  const numbersOf = (kind: StandaloneKind) =>
    wanted.flatMap(({ source }) => (source.kind === kind && 'number' in source ? [source.number] : []))
  // What a person has forgotten stays in the index, but it goes nowhere.
  const memories = [...memoriesByNumber(ledger, numbersOf('memory'))]
    .filter(([, { state }]) => state !== 'forgotten')
    .map(
      ([number, { text, why, apply }]): Said => [
        { kind: 'memory', number },
        [text, why, apply].filter(Boolean).join('\n'),
      ],
    )
  const commits = [...commitsByNumber(ledger, numbersOf('commit'))].map(
    ([number, { message }]): Said => [{ kind: 'commit', number }, message],
  )
  const articles = [...articlesByNumber(ledger, numbersOf('article'))].map(
    ([number, { said }]): Said => [{ kind: 'article', number }, said],
  )
  const days = [...daysByNumber(ledger, numbersOf('journal'))].map(
    ([number, { said }]): Said => [{ kind: 'journal', number }, said],
  )
  return [...memories, ...commits, ...articles, ...days]
}
