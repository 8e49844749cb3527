// The third step: the full text of a few things.
import * as z from 'zod'
import { notice } from '../core/evidence.ts'
import type { Visit } from './answer.ts'
import { exchangesAround } from './exchange.ts'
import { isMemoryId, memoryAsked } from './memory-named.ts'
import { memoryText } from './memory-text.ts'
import { maxCharacters, sessionText } from './session-get.ts'
import { eventsOf, parseHitId, sessionAsked } from './stored-session.ts'

export const getInput = z.strictObject({
  ids: z
    .array(z.string().min(1).max(500))
    .min(1)
    .max(20)
    .describe('ids as memory_search and memory_expand give them: of memories, exchanges or sessions'),
})

/** Whole items, as many as fit; the first one is always given. */
export function get(visit: Visit, { ids }: z.infer<typeof getInput>): string {
  const texts: string[] = []
  const left: string[] = []
  let size = 0
  for (const id of new Set(ids)) {
    const text = size < maxCharacters ? fullText(visit, id) : ''
    if (text === '' || (texts.length > 0 && size + text.length > maxCharacters)) {
      left.push(id)
      continue
    }
    texts.push(text)
    size += text.length
  }
  const rest = left.length > 0 ? [`Left out, because it does not fit here: ${left.join(', ')}. Ask for it alone.`] : []
  return [notice, ...texts, ...rest].join('\n\n')
}

function fullText({ app, ledger }: Visit, id: string): string {
  if (isMemoryId(id)) return memoryText(memoryAsked(ledger, id), app)
  const { session: named, place } = parseHitId(id)
  const session = sessionAsked(ledger, named)
  const exchange = place === undefined ? undefined : exchangesAround(eventsOf(ledger, session), place, 0)[0]
  const part = exchange ? { from: exchange.from, to: exchange.to } : { from: 0 }
  const { text, next } = sessionText(ledger, session, { ...part, limit: 500 }, app.zone)
  return next === undefined ? text : `${text}\nThere is more: session_get with session ${session.id} and from ${next}.`
}
