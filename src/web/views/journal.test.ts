import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LearnHome, learnHome, sampleSession } from '../../../test/learn-home.ts'
import { type PageClient, pageClient } from '../../../test/page/client.ts'

let home: LearnHome
let page: PageClient
const file = (day: string) => join(home.path, '.recollect/vault/journal', `${day}.md`)

beforeAll(async () => {
  home = learnHome('')
  home.write([
    [
      'Upload <img src=x onerror=alert(1)> twice',
      { tool: 'Edit', input: { file_path: '/home/dev/app/a.ts' } },
      'Done.',
    ],
  ])
  await home.run()
  const text = readFileSync(file('2026-09-01'), 'utf8')
  writeFileSync(
    file('2026-09-01'),
    `${text}\nSee [[wiki/concepts/uploads|Uploads]], [[journal/2026-08-30]], [[journal/2020-01-01|gone]] and [x](javascript:alert(1)).\n`,
  )
  writeFileSync(file('2026-08-30'), '# Sunday, 2026-08-30\n\nA note <script>alert(1)</script>\n')
  mkdirSync(join(home.path, '.recollect/vault/wiki/concepts'), { recursive: true })
  writeFileSync(join(home.path, '.recollect/vault/wiki/concepts/uploads.md'), '---\ntitle: Uploads\n---\n\n# Uploads\n')
  page = pageClient(home.app())
})
afterAll(() => {
  page.close()
  home.remove()
})

describe('/journal', () => {
  it('lists days with sessions, and days that only a person wrote about', async () => {
    const { html, status } = await page.get('/journal')
    expect(status).toBe(200)
    expect(html).toContain('href="/journal/2026-09-01"')
    expect(html).toContain('1 session')
    expect(html).toMatch(/2026-08-30.*notes/s)
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(html).not.toContain('<img')
  })

  it('shows one year', async () => {
    expect((await page.get('/journal?year=2026')).html).toContain('September 2026')
  })
})

describe('/journal/:day', () => {
  it('shows the day with links to its sessions, pages and neighbours', async () => {
    const { html } = await page.get('/journal/2026-09-01')
    expect(html).toContain('<h1>Tuesday, 2026-09-01</h1>')
    expect(html).toContain(`<a href="/sessions/claude-code%3A${sampleSession}"><code>0a1b2c3d-1111</code></a>`)
    expect(html).toContain('<a href="/wiki/concepts/uploads">Uploads</a>')
    expect(html).toContain('<a href="/journal/2026-08-30">journal/2026-08-30</a>')
    expect(html).toContain('gone')
    expect(html).not.toContain('/journal/2020-01-01')
    expect(html).toContain('rel="prev" href="/journal/2026-08-30" data-key="["')
    expect(html).not.toMatch(/<img|javascript:/)
  })

  it('shows text of people as text', async () => {
    const { html } = await page.get('/journal/2026-08-30')
    expect(html).toContain('A note &lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).toContain('rel="next" href="/journal/2026-09-01" data-key="]"')
  })

  it.each(['2026-09-02', 'tomorrow', '..%2F..%2Fconfig'])('has no day %s', async (day) => {
    expect((await page.get(`/journal/${day}`)).status).toBe(404)
  })
})
