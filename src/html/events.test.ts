import { describe, expect, it } from 'vitest'
import { zoneOf } from '../core/units.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { renderEvent } from './events.ts'

const options = { zone: zoneOf('UTC'), urlOf: (seq: number) => `/sessions/one?at=${seq}#e${seq}` }
const event = (more: Partial<StoredEvent>): StoredEvent => ({
  ...{ seq: 3, id: 'e3', kind: 'prompt', role: 'user', ts: '2026-09-01T10:00:00.000Z', text: '' },
  ...more,
})
const rendered = (more: Partial<StoredEvent>, isStatic = false) =>
  renderEvent(event(more), { ...options, isStatic }).toString()

describe('renderEvent', () => {
  it('shows an image as a placeholder', () =>
    expect(rendered({ text: 'Look: [image image/png, 12 KB]' })).toContain(
      '<span class="image">[image image/png, 12 KB]</span>',
    ))

  it('colours the change of an edit', () => {
    const text = rendered({
      kind: 'tool_call',
      tool: 'Edit',
      input: { file_path: 'a.ts', old_string: 'let a\nlet b', new_string: 'let a\nlet <c>' },
    })
    expect(text).toContain('<span class="same"> let a</span><span class="del">-let b</span>')
    expect(text).toContain('<span class="add">+let &lt;c&gt;</span>')
  })

  it('colours a patch', () =>
    expect(
      rendered({ kind: 'tool_call', tool: 'apply_patch', input: '*** Begin Patch\n*** Update File: a.ts\n-old\n+new' }),
    ).toContain('<span class="hunk">*** Update File: a.ts</span><span class="del">-old</span><span class="add">+new'))

  it('cuts a long text, with a link to all of it where there is a server', () => {
    const text = 'word '.repeat(10_000)
    expect(rendered({ kind: 'reply', text })).toContain('href="/sessions/one?at=3&amp;whole=3#e3">Show all 48.8 KiB')
    expect(rendered({ kind: 'reply', text }, true)).toContain('Cut; the whole text has 48.8 KiB.')
  })

  it('opens the output of a failed call, and marks failed tests', () => {
    expect(rendered({ kind: 'tool_result', error: 'failed', exit: 2, text: 'one\ntwo' })).toContain('<details open>')
    expect(rendered({ kind: 'test_run', tests: { passed: 3, failed: 1 }, text: 'a\nb' })).toContain(
      '1 of 4 tests failed',
    )
  })
})
