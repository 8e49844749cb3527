import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type LearnHome, learnHome, sampleSession } from '../../../test/learn-home.ts'
import { type PageClient, pageClient } from '../../../test/page/client.ts'
import type { Pattern } from '../../patterns/types.ts'
import { savePatterns } from '../../store/patterns/patterns.ts'
import { savePublications } from '../../store/patterns/practices.ts'

const unread: Pattern = {
  id: 'p-1a2b3c4d5e',
  polarity: 'problem',
  type: 'unread edit',
  locus: '',
  title: 'Files are edited <script>alert(1)</script> before they were read',
  frequency: 12,
  times: 20,
  sessions: 9,
  projects: ['/home/dev/app', '/home/dev/site'],
  agents: ['claude-code', 'codex'],
  crossAgent: true,
  costUsd: 1.5,
  firstMs: Date.parse('2026-08-01'),
  lastMs: Date.parse('2026-09-01'),
  evidence: 'aa00',
  examples: [{ session: `claude-code:${sampleSession}`, seq: 1, detail: '<b>File has not been read yet' }],
}
const storm: Pattern = {
  ...unread,
  id: 'p-ffff000000',
  type: 'retry storm',
  locus: 'npm test',
  title: '`npm test` is tried again and again',
  agents: ['codex'],
  crossAgent: false,
}

let home: LearnHome
let page: PageClient
beforeEach(async () => {
  home = learnHome('')
  home.write([['Fix it', { tool: 'Edit', input: { file_path: '/home/dev/app/a.ts' } }, 'Done.']])
  await home.run()
  const ledger = home.app().ledger()
  savePatterns(ledger, [unread, storm])
  ledger.close()
  page = pageClient(home.app())
})
afterEach(() => {
  page.close()
  home.remove()
})

const titlesIn = (html: string) =>
  [...html.matchAll(/class="title" href="\/patterns\/([\w-]+)"/g)].map((match) => match[1])
const listed = async (state: string) => titlesIn((await page.get(`/patterns?state=${state}`)).html)

describe('/patterns', () => {
  it('lists open patterns, and marks those of several agents', async () => {
    const { html } = await page.get('/patterns')
    expect(titlesIn(html)).toEqual([unread.id, storm.id])
    expect(html.match(/across 2 agents/g)).toHaveLength(1)
    expect(html).toContain('&lt;script&gt;alert(1)')
    expect(html).toContain('<code>npm test</code> is tried again and again')
    expect(html).not.toContain('<script>alert')
  })

  it('names practices that cannot be read', async () => {
    mkdirSync(join(home.path, '.recollect/vault/practices'), { recursive: true })
    writeFileSync(join(home.path, '.recollect/vault/practices/mine.md'), '---\nstatus: <b>\n---\n\n## Rule\n\nx\n')
    expect((await page.get('/patterns')).html).toContain('practices/mine.md, line 2: status is &quot;&lt;b&gt;&quot;')
  })
})

describe('/patterns/:id', () => {
  it('shows evidence with links to the events, and the draft', async () => {
    const { html } = await page.get(`/patterns/${unread.id}`)
    expect(html).toContain(`href="/sessions/claude-code%3A${sampleSession}?at=1&amp;view=all#e1"`)
    expect(html).toContain('&lt;b&gt;File has not been read yet')
    expect(html).toContain('name="title" value="Read a file before you edit it"')
    for (const key of ['a', 'r', 'l', ']']) expect(html).toContain(`data-key="${key}"`)
  })

  it('approves with the text that was sent, and undoes it', async () => {
    const fields = {
      title: 'Read first',
      rule: 'Read the <file>.',
      steps: 'Open it\r\n\r\nRead it',
      note: 'seen often',
    }
    const approved = await page.post(`/patterns/${unread.id}/approve`, fields)
    expect(approved).toMatchObject({ status: 303, location: `/patterns/${unread.id}` })
    expect(await listed('approved')).toEqual([unread.id])
    const { html } = await page.get(`/patterns/${unread.id}`)
    expect(html).toContain('Read the &lt;file&gt;.')
    expect(html).toContain('<li class="plain">Open it</li><li class="plain">Read it</li>')
    expect(html).toContain('approved on 2026-09-01 (seen often)')
    expect(html).toContain('data-key="u"')
    await page.post(`/patterns/${unread.id}/undo`)
    expect(await listed('open')).toEqual([unread.id, storm.id])
  })

  it('rejects, postpones and retires', async () => {
    await page.post(`/patterns/${unread.id}/reject`, { note: 'that is how we work' })
    await page.post(`/patterns/${storm.id}/later`)
    expect([await listed('rejected'), await listed('later'), await listed('open')]).toEqual([
      [unread.id],
      [storm.id],
      [],
    ])
    await page.post(`/patterns/${storm.id}/undo`)
    await page.post(`/patterns/${storm.id}/approve`)
    await page.post(`/patterns/${storm.id}/retire`)
    expect(await listed('retired')).toEqual([storm.id])
  })

  it.each([
    ['an empty rule', { rule: ' ' }, 400],
    ['another token', { _token: 'wrong' }, 403],
  ])('refuses %s', async (_, fields, status) => {
    expect((await page.post(`/patterns/${unread.id}/approve`, fields as Record<string, string>)).status).toBe(status)
    expect(await listed('approved')).toEqual([])
  })

  it('does not know other patterns', async () => {
    expect((await page.get('/patterns/p-0')).status).toBe(404)
    expect((await page.post('/patterns/p-0/approve')).status).toBe(404)
  })
})

describe('/patterns/:id/publish', () => {
  it('shows the change of each file and changes nothing', async () => {
    mkdirSync(join(home.path, '.claude'), { recursive: true })
    writeFileSync(join(home.path, '.claude/CLAUDE.md'), '# Mine <b>\n')
    const { html } = await page.part(`/patterns/${unread.id}/publish`)
    expect(html).toContain(join(home.path, '.claude/CLAUDE.md'))
    expect(html).toContain('<span class="same"> # Mine &lt;b&gt;</span>')
    expect(html).toMatch(/<span class="add">\+- \*\*Read a file before you edit it/)
    expect(readFileSync(join(home.path, '.claude/CLAUDE.md'), 'utf8')).toBe('# Mine <b>\n')
    expect((await page.get(`/patterns/${unread.id}/publish`)).html).toContain('<h1>What publishing would change</h1>')
  })
})

describe('/patterns/:id/effect', () => {
  it('says why there is nothing to compare, and compares once it is published', async () => {
    const part = async () => (await page.part(`/patterns/${unread.id}/effect`)).html
    expect(await part()).toContain('It is not a practice')
    await page.post(`/patterns/${unread.id}/approve`)
    expect(await part()).toContain('Not published yet')
    const ledger = home.app().ledger()
    const row = { practice: unread.id, version: '1.0.0', agent: 'claude-code', project: null }
    savePublications(ledger, '/x', [row], { atMs: Date.parse('2026-08-01'), folders: [] })
    ledger.close()
    expect(await part()).toContain('<span class="chip warn">too early</span>')
  })
})
