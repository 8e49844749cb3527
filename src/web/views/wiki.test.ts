import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LearnHome, learnHome } from '../../../test/learn-home.ts'
import { type PageClient, pageClient } from '../../../test/page/client.ts'
import { detectEdits } from '../../wiki/detect-edits.ts'

let home: LearnHome
let page: PageClient

function write(path: string, title: string, body: string, head = ''): void {
  const file = join(home.path, '.recollect/vault', `${path}.md`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `---\ntitle: ${JSON.stringify(title)}\nupdated: 2026-09-01\n${head}---\n\n# Heading\n\n${body}\n`)
}

beforeAll(async () => {
  home = learnHome('[models]\norder = ["heuristic"]\n')
  home.write([['Uploads must never be retried, the server bills each of them.', 'Understood.']])
  await home.run()
  write(
    'wiki/concepts/uploads',
    'Uploads <script>alert(1)</script>',
    'Never retried: [[retries|see retries]], said in `claude-code:0a1b2c3d-1111`. <b>bold</b> [[concepts/none]]',
    'sources: ["journal/2026-09-01"]\nproject: "/home/dev/app"\naliases: ["sending"]\n',
  )
  write('wiki/concepts/retries', 'Retries', 'About [[wiki/concepts/uploads]] and [[concepts/queue]].')
  write('wiki/concepts/queue', 'Queue', 'It holds [[concepts/retries]].')
  symlinkSync(join(home.path, '.recollect/config.toml'), join(home.path, '.recollect/vault/wiki/secret.md'))
  const ledger = home.app().ledger()
  await detectEdits(ledger)
  ledger.close()
  page = pageClient(home.app())
})
afterAll(() => {
  page.close()
  home.remove()
})

describe('/wiki', () => {
  it('lists articles by project, with escaped titles', async () => {
    const { html, status } = await page.get('/wiki')
    expect(status).toBe(200)
    expect(html).toContain('Uploads &lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).toContain('href="/wiki/concepts/retries"')
    expect(html).not.toContain('<script>alert')
  })

  it.each([
    ['text=sending', ['uploads']],
    ['text=no+such', []],
    ['project=%2Fhome%2Fdev%2Fapp', ['uploads']],
    ['kind=answer', []],
  ])('filters by %s', async (query, names) => {
    const { html } = await page.get(`/wiki?${query}`)
    expect([...html.matchAll(/class="title" href="\/wiki\/concepts\/(\w+)"/g)].map((match) => match[1])).toEqual(names)
  })

  it('answers a question with its sources, and saves the answer', async () => {
    const { html } = await page.get('/wiki?ask=are+uploads+retried')
    expect(html).toContain('Sources')
    expect(html).toMatch(/href="\/journal\/2026-09-01"|href="\/wiki\/concepts\/uploads"/)
    const saved = await page.post('/wiki/ask', { question: 'are uploads retried' })
    expect(saved).toMatchObject({ status: 303, location: '/wiki/answers/are-uploads-retried' })
    expect((await page.get(saved.location!)).html).toContain('are uploads retried')
  })

  it('says when nothing is found', async () => {
    const { html } = await page.get('/wiki?ask=%3Cb%3Ezeppelins')
    expect(html).toContain('Nothing found.')
    expect(html).toContain('&lt;b&gt;zeppelins')
    expect(html).not.toContain('<b>zeppelins')
  })
})

describe('/wiki/…', () => {
  it('shows an article with sources, links and what links to it', async () => {
    const { html } = await page.get('/wiki/concepts/uploads')
    expect(html).toContain('<a href="/wiki/concepts/retries">see retries</a>')
    expect(html).toContain('<a href="/sessions/claude-code%3A0a1b2c3d-1111"><code>')
    expect(html).toContain('<a href="/journal/2026-09-01">2026-09-01</a>')
    expect(html).toMatch(/Linked from.*href="\/wiki\/concepts\/retries"/s)
    expect(html).toContain('&lt;b&gt;bold&lt;/b&gt;')
    expect(html).not.toMatch(/<b>bold|<script>alert|concepts\/none"/)
  })

  it('draws the pages around it', async () => {
    const { html } = await page.get('/wiki/concepts/retries')
    expect(html).toContain('<figure class="graph">')
    expect((await page.part('/wiki/concepts/retries?part=links')).html).toMatch(/^<section class="linked/)
  })

  it.each(['concepts/none', 'secret', '..%2F..%2Fconfig', 'concepts%2F..%2F..%2Fjournal%2F2026-09-01'])(
    'does not show %s',
    async (path) => {
      expect((await page.get(`/wiki/${path}`)).status).toBe(404)
    },
  )
})

describe('/wiki/lint', () => {
  it('finds what is wrong in all articles, or in one', async () => {
    const { html } = await page.get('/wiki/lint')
    expect(html).toContain('Broken links')
    const { html: part } = await page.part('/wiki/lint?page=concepts%2Fuploads')
    expect(part).toMatch(/^<ul/)
    expect(part).toContain('concepts/none')
  })
})
