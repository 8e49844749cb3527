// The full-text index finds what people search for, and leads to the event.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { bestPassages } from '../src/store/search/passage-search.ts'
import { passageSource } from '../src/store/search/passages.ts'
import { readBody } from '../src/store/sessions/bodies.ts'
import { sweep } from '../src/sweep.ts'
import { termsOf } from '../src/text/terms.ts'
import { type Place, place, sessionName } from './program.ts'

const session = sessionName(1)
const base = { sessionId: session, cwd: '/home/dev/app', timestamp: '2026-09-01T10:00:00Z', version: '2.1.219' }
const answer = (uuid: string, block: object) => ({
  ...base,
  type: 'assistant',
  uuid,
  message: { id: uuid, role: 'assistant', model: 'claude-opus-4-6', content: [block] },
})
const result = (uuid: string, call: string, content: string, isError: boolean) => ({
  ...base,
  type: 'user',
  uuid,
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content, is_error: isError }] },
})

let at: Place
let ledger: Ledger
beforeAll(async () => {
  at = place({
    [`.claude/projects/-a/${session}.jsonl`]: [
      { ...base, type: 'user', uuid: 'u1', message: { role: 'user', content: 'why does the lighthouse blink' } },
      answer('a1', { type: 'text', text: 'Because the capacitor leaks.' }),
      answer('a2', { type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'pnpm lint --max-warnings 0' } }),
      result('u2', 'c1', 'ReferenceError: beacon is not defined', true),
      answer('a3', { type: 'tool_use', id: 'c2', name: 'Read', input: { file_path: '/home/dev/app/src/harbour.ts' } }),
      result('u3', 'c2', 'export const pelican = 1', false),
    ],
  })
  const app = createApp({ machine: { home: at.home, env: { RECOLLECT_HOME: at.store }, platform: 'linux' } })
  await sweep(app)
  ledger = app.ledger()
})
afterAll(() => {
  ledger.close()
  at.remove()
})

function found(query: string): string[] {
  const { body, body_bytes } = ledger.sql('SELECT body, body_bytes FROM sessions').get()!
  const events = [...readBody(ledger.layout.bodies, String(body), Number(body_bytes))]
  const found = bestPassages(ledger, { any: termsOf(query) }, { kinds: ['event'] }, 10)
  return found.map((id) => events[(passageSource(id) as { seq: number }).seq]!.id)
}

describe('search index', () => {
  it.each([
    ['a prompt', 'lighthouse', ['u1']],
    ['a reply', 'capacitors', ['a1']],
    ['a command', 'lint', ['a2']],
    ['an error', 'beacon', ['u2']],
    ['a path', 'harbour.ts', ['a3']],
    ['nothing of output that went well', 'pelican', []],
  ])('finds %s', (_, query, ids) => expect(found(query)).toEqual(ids))
})
