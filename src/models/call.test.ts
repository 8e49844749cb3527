import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { parseAnswer } from './call.ts'

const schema = z.object({ events: z.array(z.object({ text: z.string(), importance: z.number().min(0).max(1) })) })
const empty = { kind: 'valid', value: { events: [] } }

describe('parseAnswer', () => {
  it.each([
    ['bare', '{"events":[]}'],
    ['in a fence', '```json\n{"events":[]}\n```'],
    ['in a fence without a name', '```\n{"events":[]}\n```'],
    ['in a fence among words with braces', 'Given {x}:\n```json\n{"events":[]}\n```\nas {y}.'],
    ['among words', 'Sure! {"events":[]} Anything else?'],
  ])('may come %s', (_, text) => {
    expect(parseAnswer(text, schema)).toEqual(empty)
  })

  it.each([
    ['nothing', '', 'there is no whole JSON object in it'],
    ['a list', '[]', 'there is no whole JSON object in it'],
    ['one that breaks off', '{"events":[{"text":"Use', 'there is no whole JSON object in it'],
    ['events that are no list', '{"events":"none"}', 'events: '],
    ['an event that is no object', '{"events":["Use tabs"]}', 'events.0: '],
    ['an importance in words', '{"events":[{"text":"x","importance":"high"}]}', 'events.0.importance: '],
    ['no events', '{}', 'events: '],
  ])('SPEC B.12: is malformed when it is %s', (_, text, problem) => {
    expect(parseAnswer(text, schema)).toEqual({ kind: 'malformed', problem: expect.stringContaining(problem) })
  })

  it('SPEC B.12: reports malformed instead of throwing when a schema throws', () => {
    const stumbling = z.object({ a: z.unknown() }).transform(() => {
      throw new Error('stumbled')
    })
    expect(parseAnswer('{"a":1}', stumbling)).toEqual({ kind: 'malformed', problem: 'stumbled' })
  })

  it('accepts any text without throwing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(['valid', 'malformed']).toContain(parseAnswer(text, schema).kind)
      }),
    )
  })
})
