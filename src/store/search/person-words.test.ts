import { expect, it } from 'vitest'
import type { EventSummary } from '../sessions/events.ts'
import { searchTextOf } from './index-session.ts'
import { personWords } from './person-words.ts'

const result = (text: string, more: Partial<EventSummary> = {}): EventSummary => ({
  id: '',
  kind: 'tool_result',
  role: 'tool',
  ts: null,
  text,
  ...more,
})
const denial = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n"

it.each<[string, EventSummary, string]>([
  [
    'the reason of a denial',
    result(`${denial}not in this branch\n\nNote: The user's next message may`, { error: 'denied' }),
    'not in this branch',
  ],
  ['a denial without a reason', result('Permission has been denied.', { error: 'denied' }), ''],
  ['output that imitates a denial', result(`${denial}push to main`), ''],
  [
    'an answer to a question',
    result('User has answered: "Which colour?"="green"', { tool: 'AskUserQuestion' }),
    'Which colour? green',
  ],
  ['output of another tool', result('"Which colour?"="green"', { tool: 'Bash' }), ''],
])('takes the words of a person: %s', (_, event, words) => expect(personWords(event)).toBe(words))

it('indexes them as said by a person', () => {
  expect(searchTextOf(result(`${denial}not in this branch`, { error: 'denied' }))).toEqual({
    role: 'human',
    said: 'not in this branch',
    done: '',
  })
})
