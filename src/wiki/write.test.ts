import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { layoutOf, makeHome } from '../core/paths.ts'
import { type Ledger, openLedger } from '../store/ledger.ts'
import { bestPassages } from '../store/search/passage-search.ts'
import { articleRows } from '../store/wiki/articles.ts'
import { type Article, articleFolders } from './article.ts'
import { beginBuild, recoverBuild } from './build-recovery.ts'
import { type ArticlesToWrite, writeArticles } from './write.ts'

const opened: { ledger: Ledger; root: string }[] = []
afterEach(() => {
  for (const { ledger, root } of opened.splice(0)) {
    ledger.close()
    rmSync(root, { recursive: true, force: true })
  }
})

function made() {
  const root = mkdtempSync(join(tmpdir(), 'recollect-test-'))
  const layout = layoutOf(root)
  makeHome(layout)
  const ledger = openLedger(layout)
  opened.push({ ledger, root })
  const file = (path: string) => join(layout.vault, `${path}.md`)
  return {
    layout,
    ledger,
    file,
    read: (path: string) => readFileSync(file(path), 'utf8'),
    put: (path: string, text: string) => {
      mkdirSync(dirname(file(path)), { recursive: true })
      writeFileSync(file(path), text)
    },
    write: (wanted: ArticlesToWrite, settle?: () => void) => writeArticles({ ledger }, wanted, settle),
  }
}

function article(name: string, rule: string): Article {
  return {
    kind: 'concept',
    path: `${articleFolders.concept}/${name}`,
    head: {
      title: name,
      aliases: [],
      tags: [],
      project: null,
      topic: `word:${name}`,
      connects: [],
      question: null,
      sources: ['journal/2026-09-01'],
      created: '2026-09-01',
      updated: '2026-09-01',
    },
    summary: rule,
    sections: [
      { name: 'summary', text: `About ${name}.` },
      { name: 'rules', text: `## Rules\n\n- ${rule}` },
    ],
  }
}

describe('writeArticles', () => {
  it('reports created, updated and unchanged articles', async () => {
    const { write, read } = made()
    expect(await write({ articles: [article('a', 'One.'), article('b', 'Two.')] })).toMatchObject({
      created: ['wiki/concepts/a', 'wiki/concepts/b'],
      updated: [],
    })
    expect(await write({ articles: [article('a', 'One.'), article('b', 'Three.')] })).toMatchObject({
      created: [],
      updated: ['wiki/concepts/b'],
    })
    expect(read('wiki/concepts/b')).toContain('Three.')
  })

  it('indexes title and summary, not statements of memories', async () => {
    const { write, ledger } = made()
    await write({ articles: [article('webhooks', 'Retry thrice.')] })
    const found = (term: string) => bestPassages(ledger, { any: [term] }, { kinds: ['article'] }, 5).length
    expect([found('webhook'), found('thric')]).toEqual([1, 0])
    await write({ articles: [], vanished: ['wiki/concepts/webhooks'] })
    expect(found('webhook')).toBe(0)
  })

  it('does not restore a deleted article without isAll', async () => {
    const { write, file } = made()
    await write({ articles: [article('a', 'One.')] })
    rmSync(file('wiki/concepts/a'))
    expect(await write({ articles: [article('a', 'Two.')] })).toMatchObject({ created: [], updated: [] })
    expect(await write({ articles: [article('a', 'Two.')], isAll: true })).toMatchObject({
      created: ['wiki/concepts/a'],
    })
  })

  it('removes an obsolete article but keeps text of a person', async () => {
    const { write, file, read, put } = made()
    await write({ articles: [article('a', 'One.'), article('b', 'Two.')] })
    put('wiki/concepts/b', `${read('wiki/concepts/b')}\nMy own words.\n`)
    const report = await write({ articles: [], vanished: ['wiki/concepts/a', 'wiki/concepts/b'] })
    expect(report).toMatchObject({ removed: ['wiki/concepts/a'], updated: ['wiki/concepts/b'] })
    expect(existsSync(file('wiki/concepts/a'))).toBe(false)
    expect(read('wiki/concepts/b')).toContain('My own words.')
    expect(read('wiki/concepts/b')).not.toContain('Two.')
  })

  it('never follows symbolic links', async () => {
    const { write, layout, file } = made()
    const outside = join(layout.root, 'outside.md')
    writeFileSync(outside, 'mine')
    mkdirSync(dirname(file('wiki/concepts/a')), { recursive: true })
    symlinkSync(outside, file('wiki/concepts/a'))
    expect((await write({ articles: [article('a', 'One.')] })).problems).toHaveLength(1)
    expect(readFileSync(outside, 'utf8')).toBe('mine')
  })

  it('includes what a person saves in the meantime', async () => {
    const { write, put, read } = made()
    await write({ articles: [article('a', 'One.')] })
    const writing = write({ articles: [article('a', 'Two.')] })
    put('wiki/concepts/a', `${read('wiki/concepts/a')}\nMine.\n`)
    expect(await writing).toMatchObject({ updated: ['wiki/concepts/a'], problems: [] })
    expect(read('wiki/concepts/a')).toMatch(/Two\.[\s\S]*Mine\./)
  })

  it.each([
    ['breaks', (text: string) => text.replace('\n---\n', '\n'), 'The head begins and does not end'],
    ['deletes', () => undefined, 'It was changed while the wiki was built'],
  ])('leaves what a person %s while it writes, says so, and does it later', async (_, change, reason) => {
    const { write, put, read, file } = made()
    await write({ articles: [article('a', 'One.')] })
    const before = read('wiki/concepts/a')
    const writing = write({ articles: [article('a', 'Two.')] })
    const theirs = change(before)
    if (theirs === undefined) rmSync(file('wiki/concepts/a'))
    else put('wiki/concepts/a', theirs)
    expect(await writing).toMatchObject({ updated: [], problems: [{ path: 'wiki/concepts/a', reason }] })
    expect(existsSync(file('wiki/concepts/a')) ? read('wiki/concepts/a') : undefined).toBe(theirs)
    put('wiki/concepts/a', before)
    expect(await write({ articles: [article('a', 'Two.')] })).toMatchObject({ updated: ['wiki/concepts/a'] })
  })

  it('writes nothing in a dry run', async () => {
    const { write, file, ledger } = made()
    expect(await write({ articles: [article('a', 'One.')], isDryRun: true })).toMatchObject({
      created: ['wiki/concepts/a'],
    })
    expect(existsSync(file('wiki/concepts/a'))).toBe(false)
    expect(articleRows(ledger)).toEqual([])
  })
})

describe('writeArticles after a failure', () => {
  it('restores all files if the disk cannot be written', async () => {
    const { write, file, read, layout } = made()
    await write({ articles: [article('a', 'One.')] })
    const before = read('wiki/concepts/a')
    // As root a folder without permission can still be written: a folder where a file is made for a moment is in the way.
    mkdirSync(join(layout.vault, 'wiki/answers/.recollect.tmp'), { recursive: true })
    const blocked = { ...article('b', 'Two.'), path: 'wiki/answers/b' }
    await expect(write({ articles: [article('a', 'Changed.'), blocked] })).rejects.toThrow()
    expect(read('wiki/concepts/a')).toBe(before)
    expect(existsSync(join(layout.run, 'wiki-build'))).toBe(false)
    expect(await write({ articles: [article('a', 'Changed.')] })).toMatchObject({ updated: ['wiki/concepts/a'] })
    expect(file('wiki/concepts/a')).toBeTruthy()
  })

  it('restores all files at the next start if the ledger failed', async () => {
    const { write, read, ledger, layout, file } = made()
    await write({ articles: [article('a', 'One.')] })
    const before = read('wiki/concepts/a')
    const fails = () => {
      throw new Error('killed')
    }
    await expect(write({ articles: [article('a', 'Two.'), article('b', 'New.')] }, fails)).rejects.toThrow('killed')
    expect(recoverBuild(ledger)).toBe(true)
    expect(read('wiki/concepts/a')).toBe(before)
    expect(existsSync(file('wiki/concepts/b'))).toBe(false)
    expect(existsSync(join(layout.run, 'wiki-build'))).toBe(false)
    expect(await write({ articles: [article('a', 'Two.'), article('b', 'New.')] })).toMatchObject({
      created: ['wiki/concepts/b'],
      updated: ['wiki/concepts/a'],
    })
  })

  it('restores nothing after the ledger was updated', async () => {
    const { write, read, ledger, layout } = made()
    await write({ articles: [article('a', 'One.')] })
    const text = read('wiki/concepts/a')
    // What a kill between the ledger and the disk leaves.
    const id = String(
      ledger.sql("SELECT json_extract(value, '$') AS id FROM notes WHERE name = 'wiki built'").get()!.id,
    )
    beginBuild(layout, { id, files: [{ path: 'wiki/concepts/a', before: Buffer.from('old'), after: 'whatever' }] })
    expect(recoverBuild(ledger)).toBe(false)
    expect(read('wiki/concepts/a')).toBe(text)
  })

  it('does not restore files that a person has changed since', async () => {
    const { write, ledger, put, read } = made()
    await write({ articles: [article('a', 'One.')] })
    const fails = () => {
      throw new Error('killed')
    }
    await expect(write({ articles: [article('a', 'Two.')] }, fails)).rejects.toThrow('killed')
    put('wiki/concepts/a', `${read('wiki/concepts/a')}\nMine.\n`)
    recoverBuild(ledger)
    expect(read('wiki/concepts/a')).toContain('Mine.')
  })
})
