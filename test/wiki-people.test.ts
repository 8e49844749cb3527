// What people do to articles between two builds: every word of theirs stays, and what is left of ours is right.
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { fixedClock } from '../src/core/clock.ts'
import { forget, remember } from '../src/learn/change.ts'
import { writeMemoryFiles } from '../src/learn/files/write.ts'
import { writeValue } from '../src/store/key-values.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { moveMemories } from '../src/store/memories/changes.ts'
import { lastChangeId } from '../src/store/memories/files.ts'
import { listMemories } from '../src/store/memories/memories.ts'
import { upsertProject } from '../src/store/sessions/projects.ts'
import { type Article, emptyHead } from '../src/wiki/article.ts'
import { type BuildReport, buildWiki } from '../src/wiki/build.ts'
import { lintWiki } from '../src/wiki/lint/lint.ts'
import { writeArticles } from '../src/wiki/write.ts'

const [shop, site] = ['/home/dev/shop', '/home/dev/site']

/** So many that topics of the project have pages of their own. */
const shopRules = [
  'Answer in English',
  'Prices are in cents',
  'Mails are sent by Postmark',
  'Logs expire after 30 days',
  'Secrets live in the vault of Ann',
  'The search ignores accents',
  'Taxes are computed by Avalara',
  'Coupons do not add up',
  'The cart survives a logout',
  'Photos are served by a CDN',
  'Passwords have twelve letters',
  'Reports run on the replica',
  'Refunds need a second person',
  'The checkout has one step',
  'Invoices are PDF files',
  'The newsletter goes out on Friday',
  'Countries come from ISO 3166',
  'Gifts have no receipt',
  'Ratings need a purchase',
]

let home: string
let app: ReturnType<typeof createApp>
let ledger: Ledger
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'recollect-people-'))
  const machine = {
    home,
    env: { RECOLLECT_HOME: join(home, 'store'), PATH: process.env.PATH },
    platform: process.platform,
  }
  app = createApp({ machine, clock: fixedClock('2026-09-01T12:00:00Z') })
  ledger = app.ledger()
  for (const key of [shop, site]) upsertProject(ledger, { key, kind: 'folder', domain: null })
  say(shop, 'Orders are locked by row', 'Orders keep the price of their day', 'Orders have a number')
  say(shop, 'Orders are never deleted', 'The stock is counted at night', 'The stock is kept in Oslo')
  say(shop, 'The stock is never below zero', 'The stock shows reserved pieces', ...shopRules)
  say(site, 'Headings are in sentence case', 'Images have at most 200 KB')
  await build()
})
afterEach(() => {
  ledger.close()
  rmSync(home, { recursive: true })
})

function say(project: string | null, ...texts: string[]): void {
  for (const text of texts) remember({ ledger, clock: app.clock, origin: '' }, { text, project, kind: 'decision' })
}

function forgetAll(word: string, project: string): void {
  for (const { id, text } of listMemories(ledger, { project }))
    if (text.includes(word)) forget({ ledger, clock: app.clock, origin: '' }, id)
}

async function build(isAll = false): Promise<BuildReport> {
  writeMemoryFiles(app.context(ledger))
  const done = await buildWiki({ ledger, clock: app.clock, zone: app.zone, machine: app.machine }, { isAll })
  if (done.kind !== 'done') throw new Error('somebody else builds')
  return done.report
}

async function errors(): Promise<string[]> {
  const { findings } = await lintWiki({ ledger, layout: ledger.layout, clock: app.clock, zone: app.zone })
  return findings.filter(({ severity }) => severity === 'error').map(({ message }) => message)
}

const file = (name: string) => join(ledger.layout.vault, 'wiki', `${name}.md`)
const read = (name: string) => readFileSync(file(name), 'utf8')
const nothing = { created: [], updated: [], removed: [], problems: [] }

describe('buildWiki with an article that a person', () => {
  it.each(['a stock', 'z stock'])('renames to "%s" updates and links it there', async (name) => {
    renameSync(file('concepts/stock'), file(`concepts/${name}`))
    appendFileSync(file(`concepts/${name}`), '\nMy words.\n')
    say(shop, 'The stock is audited twice in May')
    await build()
    expect(existsSync(file('concepts/stock'))).toBe(false)
    expect(read(`concepts/${name}`)).toContain('My words.')
    expect(read(`concepts/${name}`)).toContain('audited twice in May')
    expect(read('concepts/shop')).toContain(`[[wiki/concepts/${name}|Stock]]`)
    expect(await errors()).toEqual([])
  })

  it.each(['a stock', 'stock 1'])('copies to "%s" updates the original only', async (name) => {
    copyFileSync(file('concepts/stock'), file(`concepts/${name}`))
    const copy = read(`concepts/${name}`)
    say(shop, 'The stock is audited twice in May')
    const { updated, removed } = await build()
    expect([updated.includes(`wiki/concepts/${name}`), updated[0], removed]).toEqual([false, 'wiki/concepts/stock', []])
    forgetAll('stock', shop)
    expect((await build()).removed).toEqual(['wiki/concepts/stock'])
    expect(read(`concepts/${name}`)).toBe(copy)
  })

  it('copies and then deletes treats it as renamed', async () => {
    copyFileSync(file('concepts/stock'), file('concepts/warehouse'))
    await build()
    rmSync(file('concepts/stock'))
    say(shop, 'The stock is audited twice in May')
    await build()
    expect(read('concepts/warehouse')).toContain('audited twice in May')
    expect(existsSync(file('concepts/stock'))).toBe(false)
    expect(await errors()).toEqual([])
  })

  it('deletes removes links to it, and a full build restores it', async () => {
    rmSync(file('concepts/orders'))
    await build()
    for (const name of ['concepts/shop', 'concepts/stock', 'index'])
      expect(read(name)).not.toContain('[[wiki/concepts/orders|')
    expect(await errors()).toEqual([])
    rmSync(file('index'))
    expect(await build()).toMatchObject(nothing)
    expect(existsSync(file('index'))).toBe(true)
    expect((await build(true)).created).toEqual(['wiki/concepts/orders'])
    expect(read('concepts/shop')).toContain('[[wiki/concepts/orders|')
  })

  it('gives another title uses the title in all links', async () => {
    writeFileSync(file('concepts/stock'), read('concepts/stock').replace('title: "Stock"', 'title: The warehouse'))
    await build()
    expect(read('concepts/shop')).toContain('[[wiki/concepts/stock|The warehouse]]')
    expect(read('index')).toContain('The warehouse')
  })

  it('wrote in keeps the text after its topic is gone', async () => {
    writeFileSync(
      file('concepts/stock'),
      `\ufeff${read('concepts/stock').replace('# Stock\n', '# Stock\n\nMy words.\n')}`,
    )
    forgetAll('stock', shop)
    await build()
    const left = read('concepts/stock')
    expect(left).toMatch(/^\ufeff---\n[\s\S]*\n---\n\n# Stock\n\nMy words\.\n$/)
    expect(await build()).toMatchObject(nothing)
    say(shop, 'Prices have two decimals')
    await build()
    expect([read('concepts/stock'), read('index').includes('concepts/stock')]).toEqual([left, true])
    say(shop, 'The stock writes to the ledger of the warehouse', 'The stock has one owner')
    say(shop, 'The stock is sorted by shelf', 'The stock closes in August')
    await build()
    expect(read('concepts/stock')).toContain('My words.')
    expect(read('concepts/stock')).toContain('ledger of the warehouse')
  })

  it('added properties to does not remove it with its topic', async () => {
    writeFileSync(file('concepts/stock'), read('concepts/stock').replace('---\n\n#', '# ask Ann\nrating: 5\n---\n\n#'))
    forgetAll('stock', shop)
    expect((await build()).removed).toEqual([])
    expect(read('concepts/stock')).toContain('# ask Ann\nrating: 5\n---\n')
  })

  it('broke reports it, leaves it alone and writes it once it is repaired', async () => {
    const whole = read('concepts/stock')
    const broken = whole.replace('\n---\n', '\n')
    writeFileSync(file('concepts/stock'), broken)
    say(shop, 'The stock is audited twice in May')
    for (const _ of [1, 2])
      expect((await build()).problems).toEqual([
        { path: 'wiki/concepts/stock', reason: 'The head begins and does not end' },
      ])
    expect(read('concepts/stock')).toBe(broken)
    writeFileSync(file('concepts/stock'), whole)
    expect((await build()).updated).toEqual(['wiki/concepts/stock'])
    expect(await build()).toMatchObject(nothing)
  })
})

describe('buildWiki with a folder that was replaced by a symbolic link', () => {
  it('reports it, does not write through it and continues once it is back', async () => {
    const [folder, elsewhere] = [dirname(file('concepts/stock')), join(home, 'elsewhere')]
    renameSync(folder, elsewhere)
    symlinkSync(elsewhere, folder)
    const before = read('concepts/stock')
    say(shop, 'The stock is audited twice in May')
    const { problems, updated } = await build()
    expect([problems.map(({ path }) => path), updated]).toEqual([
      ['wiki/concepts/stock', 'wiki/concepts/orders', 'wiki/concepts/shop'],
      [],
    ])
    expect(read('concepts/stock')).toBe(before)
    rmSync(folder)
    renameSync(elsewhere, folder)
    expect((await build()).updated).toContain('wiki/concepts/stock')
    expect(await errors()).toEqual([])
  })
})

describe('buildWiki of what no longer has enough to say', () => {
  it('merges a topic into the article of the project', async () => {
    forgetAll('price of their day', shop)
    expect((await build()).removed).toEqual(['wiki/concepts/orders'])
    expect(read('concepts/shop')).toContain('- Orders are locked by row')
    expect(read('concepts/shop')).not.toContain('[[wiki/concepts/orders')
    expect(await errors()).toEqual([])
  })

  it('removes the article of a project with a single statement', async () => {
    forgetAll('Images', site)
    expect((await build()).removed).toEqual(['wiki/concepts/site'])
    expect(read('index')).not.toContain('concepts/site')
  })

  it('keeps the articles of a renamed project', async () => {
    appendFileSync(file('concepts/stock'), '\nMy words.\n')
    const key = 'github.com/dev/shop'
    upsertProject(ledger, { key, kind: 'remote', domain: null })
    ledger.transaction(() => moveMemories(ledger, shop, key, '2026-09-01T12:00:00Z'))
    expect(await build()).toMatchObject({ created: [], removed: [] })
    expect(read('concepts/stock')).toContain(`project: "${key}"`)
    expect(read('concepts/stock')).toContain('My words.')
    expect(await errors()).toEqual([])
  })

  it('removes the articles of a forgotten project', async () => {
    for (const { id } of listMemories(ledger, { project: site }))
      ledger.sql('DELETE FROM memories WHERE id = ?').run(id)
    expect((await build(true)).removed).toEqual(['wiki/concepts/site'])
    expect(await errors()).toEqual([])
  })
})

describe('buildWiki of a wiki of an earlier version', () => {
  const old = (slug: string, more: Partial<Article['head']>): Article => ({
    kind: 'concept',
    path: `wiki/concepts/${slug}`,
    head: { ...emptyHead, title: slug, project: shop, created: '2026-08-01', updated: '2026-08-01', ...more },
    summary: 'Last: “fix it” (3 sessions, nothing settled)',
    sections: [{ name: 'decisions', text: '## Decisions\n\n- fix it' }],
  })

  it('removes generated pages, keeps those of people, and lint names the links to what is gone', async () => {
    const names = ['basic-io', 'billing', 'edited']
    const articles = [
      old('basic-io', { topic: 'file:basic/io' }),
      old('billing', {}),
      old('edited', { topic: 'word:x' }),
    ]
    const link = '## Answer\n\nAs in [[wiki/concepts/billing|Billing]] ([[journal/2026-08-01|2026-08-01]]).'
    const answer: Article = { ...old('how', {}), kind: 'answer', path: 'wiki/answers/how' }
    await writeArticles(
      { ledger },
      { articles: [...articles, { ...answer, sections: [{ name: 'answer', text: link }] }] },
    )
    appendFileSync(file('concepts/edited'), '\nMy words.\n')
    writeFileSync(file('concepts/mine'), '---\ntitle: Mine\n---\n\nSee [[wiki/concepts/basic-io]].\n')
    writeValue(ledger, 'wiki compiled', { change: lastChangeId(ledger), at: app.clock.nowMs() })
    const report = await build()
    expect(report.removed.toSorted()).toEqual(['wiki/concepts/basic-io', 'wiki/concepts/billing'])
    expect(names.map((name) => existsSync(file(`concepts/${name}`)))).toEqual([false, false, true])
    expect(read('concepts/edited')).toMatch(/My words\./)
    expect(read('concepts/edited')).not.toContain('fix it')
    expect(read('concepts/mine')).toContain('See [[wiki/concepts/basic-io]].')
    expect(read('answers/how')).toContain('As in Billing (')
    expect(await errors()).toContain('[[wiki/concepts/basic-io]] leads nowhere')
  })
})
