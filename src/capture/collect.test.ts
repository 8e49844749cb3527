import { expect, it } from 'vitest'
import type { Event } from '../core/session.ts'
import { createCollector } from './collect.ts'

const event = (key: string, text: string): Event => ({ id: key, key, kind: 'reply', role: 'assistant', ts: null, text })

it('keeps an event that a transcript repeats once, and its line refers to it', () => {
  const { out, takeEvents, take } = createCollector({ isDistinct: true })
  const session = out.session('one')
  session.event(event('a', 'first'))
  session.event(event('b', 'second'))
  session.event(event('a', 'again'))
  out.session('two').event(event('a', 'elsewhere'))
  expect(takeEvents().map(({ session, index, event }) => [session, index, event.text])).toEqual([
    ['one', 0, 'first'],
    ['one', 1, 'second'],
    ['one', 0, 'first'],
    ['two', 0, 'elsewhere'],
  ])
  expect(
    take()
      .sessions.get('one')!
      .events.map(({ text }) => text),
  ).toEqual(['first', 'second'])
})

it('knows only the events of the present part, because the others may have been written', () => {
  const { out, take } = createCollector({ isDistinct: true })
  out.session('one').event(event('a', 'first'))
  take()
  out.session('one').event(event('a', 'again'))
  expect(take().sessions.get('one')!.events).toHaveLength(1)
})
