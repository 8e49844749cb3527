// The views of the page without a browser: what they contain, and what their forms do.

import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { turnRecords } from '../learn-home.ts'
import { lines, type Place, recollect, sessionName } from '../program.ts'
import type { TestPage } from './client.ts'
import { pageHome, pageOf } from './home.ts'

let at: Place
let page: TestPage
beforeAll(() => {
  at = pageHome()
  page = pageOf(at)
})
afterAll(() => {
  page.close()
  at.remove()
})

const session = `/sessions/${encodeURIComponent(`claude-code:${sessionName(1)}`)}`

describe('sessions', () => {
  it('lists sessions of all agents, and filters by address', async () => {
    const all = await page.text('/sessions')
    for (const agent of ['claude-code', 'codex', 'aider']) expect(all).toContain(`</span> ${agent}</span>`)
    const waiting = await page.text('/sessions?outcome=waiting')
    expect(waiting).toContain('run_manifest')
    expect(waiting).not.toContain('Uploads')
    expect(await page.text('/sessions?text=no+such+title')).toContain('No session matches')
    expect(await page.text('/sessions?day=2026-09-02')).toContain('run_manifest')
    expect(await page.text('/sessions?cost=100000')).toContain('No session matches')
  })

  it('reads a session focused first, then everything', async () => {
    const focused = await page.text(session)
    expect(focused).toContain('the worker drops its queue')
    expect(focused).not.toContain('Let me look at the worker')
    const all = await page.text(`${session}?view=all`)
    expect(all).toContain('Let me look at the worker')
    expect(all).toContain('1 of 12 tests failed')
    expect(all).toContain('<span class="add">+export const queue = []</span>')
  })

  it('jumps to the next error, and says where an event is', async () => {
    const answer = await page.get(`${session}/next?kind=error&after=0`)
    expect(answer.status).toBe(303)
    const to = answer.headers.get('location')!
    expect(to).toMatch(/\?at=\d+&view=all#e\d+$/)
    expect(await page.text(to.replace(/#.*/, ''))).toContain('tests failed')
  })

  it('answers an unknown session with 404', async () => expect((await page.get('/sessions/none')).status).toBe(404))

  it('saves a session as a file that loads nothing', async () => {
    const answer = await page.get(`${session}/file`)
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+\.html"$/)
    const text = await answer.text()
    expect(text).toContain('the worker drops its queue')
    expect(text).not.toMatch(/<script|<link|<img|src=/)
  })
})

describe('hostile text', () => {
  it('is shown as text, and a line of a megabyte is cut', async () => {
    const text = await page.text(`/sessions/${encodeURIComponent(`claude-code:${sessionName(4)}`)}?view=all`)
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(text).not.toMatch(/<script>alert|<img|<iframe|javascript:alert\(1\)"|\u202e|\u001b/)
    expect(text.length).toBeLessThan(150_000)
  })

  it('is found by search as text', async () => {
    const text = await page.text('/search?q=%3Cscript%3Ealert')
    expect(text).not.toContain('<script>alert')
  })
})

describe('search', () => {
  it('marks the words and says why', async () => {
    const text = await page.text('/search?q=queue+restart')
    expect(text).toContain('<mark>restart</mark>')
    expect(text).toMatch(/matches [^<]*restart/)
  })

  it('finds Chinese', async () =>
    expect(await page.text(`/search?q=${encodeURIComponent('登录超时')}`)).toContain('<mark>登录超时</mark>'))

  it('returns only the part that a script asks for', async () => {
    const part = await (await page.get('/search?q=queue', { 'hx-request': 'true' })).text()
    expect(part).not.toContain('<html')
  })
})

describe('memories', () => {
  const idOf = (text: string): string =>
    recollect(at, 'memories', '--json')
      .json()
      .find((memory: { text: string }) => memory.text === text).id

  it('edits, pins, moves and forgets, and takes each back', async () => {
    const id = idOf('Deploy on Tuesdays')
    const edited = await page.post(`/memories/${id}/edit`, {
      text: 'Deploy on Thursdays',
      kind: 'decision',
      status: 'settled',
    })
    expect(edited.status).toBe(303)
    const done = await page.text(edited.headers.get('location')!)
    expect(done).toContain('Deploy on Thursdays')
    const [, change] = /name="change" value="(\d+)"/.exec(done)!
    await page.post('/undo', { change: change!, back: `/memories/${id}` })
    expect(recollect(at, 'memories', id, '--json').json().text).toBe('Deploy on Tuesdays')
    await page.post(`/memories/${id}/pin`)
    expect(recollect(at, 'memories', id, '--json').json().tags).toContain('pinned')
    await page.post(`/memories/${id}/move`, { project: 'everywhere' })
    expect(recollect(at, 'memories', id, '--json').json().project).toBeNull()
    expect((await page.post(`/memories/${id}/move`, { project: '/etc' })).status).toBe(400)
    await page.post(`/memories/${id}/forget`)
    expect(await page.text(`/memories/${id}`)).toContain('forgotten')
    await page.post('/undo', { back: '/memories' })
    expect(recollect(at, 'memories', id, '--json').json().state).toBe('kept')
  })

  it('removes a secret from what is typed', async () => {
    const id = idOf('The staging server is called heron')
    await page.post(`/memories/${id}/edit`, { text: 'Staging: password=hunter2hunter2' })
    expect(recollect(at, 'memories', id, '--json').json().text).toBe('Staging: password=[secret: password]')
  })
})

describe('inbox', () => {
  const fieldsOf = (text: string) => ({
    id: /name="id" value="([^"]+)"/.exec(text)![1]!,
    trail: /name="trail" value="([^"]*)"/.exec(text)![1]!,
  })
  const decide = async (text: string, decision: string, more: Record<string, string> = {}) => {
    const answer = await page.post('/inbox', { ...fieldsOf(text), decision, ...more })
    expect(answer.status).toBe(303)
    return page.text(answer.headers.get('location')!)
  }

  it('accepts, rewords, rejects and postpones, and takes all of it back in order', async () => {
    const before = recollect(at, 'memories', '--candidates', '--json').json()
    const first = await page.text('/inbox')
    const ids = [fieldsOf(first).id]
    let text = await decide(first, 'accept')
    ids.push(fieldsOf(text).id)
    text = await decide(text, 'accept', { text: 'Worded by a person' })
    ids.push(fieldsOf(text).id)
    text = await decide(text, 'reject')
    ids.push(fieldsOf(text).id)
    text = await decide(text, 'later')
    expect(new Set(ids).size).toBe(4)
    expect(
      recollect(at, 'memories', '--json')
        .json()
        .map((memory: { text: string }) => memory.text),
    ).toContain('Worded by a person')
    for (const id of ids.toReversed()) {
      text = await decide(text, 'undo')
      expect(fieldsOf(text).id).toBe(id)
    }
    expect(recollect(at, 'memories', '--candidates', '--json').json()).toEqual(before)
  })

  it('says so when an item was decided elsewhere', async () => {
    const fields = fieldsOf(await page.text('/inbox'))
    recollect(at, 'memories', 'keep', fields.id)
    const answer = await page.post('/inbox', { ...fields, decision: 'accept' })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('This was decided already')
  })
})

describe('health, files and live', () => {
  it('shows checks, storage and hooks', async () => {
    expect(await page.text('/health')).toContain('Storage')
    expect(await page.text('/health/checks')).toContain('ledger')
  })

  it('lists the files that sessions changed, and opens only these', async () => {
    expect(await page.text('/files')).toContain('/home/dev/app/queue.ts')
    expect(await page.text('/files?path=/home/dev/app/queue.ts&project=/home/dev/app')).toContain(
      'Sessions that changed it',
    )
  })

  it('tells what another process has captured', async () => {
    const stopped = new AbortController()
    const answer = await page.page.fetch(
      new Request('http://127.0.0.1:7718/live', {
        headers: { host: '127.0.0.1:7718', cookie: `${page.access.cookieName}=${page.access.cookieValue}` },
        signal: stopped.signal,
      }),
    )
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
    await reader.read()
    const file = join(at.home, `.claude/projects/-home-dev-app/${sessionName(1)}.jsonl`)
    appendFileSync(file, lines(turnRecords([['And now?', 'All uploads arrive.']], 5, sessionName(1))))
    recollect(at, 'sweep')
    const { value } = await reader.read()
    expect(value).toMatch(/^event: change\ndata: \{"text":"2 new events/)
    stopped.abort()
    // The sweep may have told more before.
    while (!(await reader.read()).done);
  })

  it('logged no error', () => expect(page.errors).toEqual([]))
})
