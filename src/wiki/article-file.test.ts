import { describe, expect, it } from 'vitest'
import type { ArticleHead } from './article.ts'
import { type RenderedArticle, readArticle, renderArticle } from './article-file.ts'
import type { SectionToWrite } from './sections.ts'

const head: ArticleHead = {
  title: 'Retries',
  aliases: ['back-off'],
  tags: ['queue'],
  project: 'github.com/acme/shop',
  topic: 'word:retries',
  connects: [],
  question: null,
  sources: ['journal/2026-09-01'],
  created: '2026-09-01',
  updated: '2026-09-02',
}
const rules = { name: 'rules', text: '## Rules\n\n- Retry twice.' }
const history = { name: 'history', text: '## History\n\n- Once.' }

async function rendered(
  sections: readonly SectionToWrite[],
  existing?: RenderedArticle | Buffer,
  written?: RenderedArticle,
  over: Partial<ArticleHead> = {},
): Promise<RenderedArticle> {
  const file = Buffer.isBuffer(existing) ? existing : existing?.content
  const result = await renderArticle({ head: { ...head, ...over }, sections }, file, written)
  if ('problem' in result) throw new Error(result.problem)
  return result
}

function edited({ content }: RenderedArticle, change: (text: string) => string): Buffer {
  return Buffer.from(change(content.toString('utf8')))
}

describe('renderArticle', () => {
  it('writes head, title and marked sections, and is idempotent', async () => {
    const first = await rendered([rules, history])
    expect(first.content.toString('utf8').replace(/ [0-9a-f]{12} /g, ' hash ')).toBe(`---
title: "Retries"
aliases: ["back-off"]
tags: ["queue"]
project: "github.com/acme/shop"
topic: "word:retries"
sources: ["journal/2026-09-01"]
created: 2026-09-01
updated: 2026-09-02
---

# Retries

<!-- recollect:section rules hash -->
## Rules

- Retry twice.
<!-- /recollect:section -->

<!-- recollect:section history hash -->
## History

- Once.
<!-- /recollect:section -->
`)
    const again = await rendered([rules, history], first, first)
    expect(again.content.equals(first.content)).toBe(true)
    expect((await readArticle(first.content)).head).toMatchObject({ title: 'Retries', sources: ['journal/2026-09-01'] })
  })

  it('replaces, removes and inserts sections in order', async () => {
    const first = await rendered([rules, history])
    const decisions = { name: 'decisions', text: '## Decisions\n\n- Use the queue.' }
    const second = await rendered([decisions, { ...history, text: '## History\n\n- Twice.' }], first, first)
    const text = second.content.toString('utf8')
    expect(text).not.toContain('Retry twice')
    expect(text.indexOf('Use the queue')).toBeLessThan(text.indexOf('Twice'))
    expect(Object.keys(second.sections).sort()).toEqual(['decisions', 'history'])
  })
})

describe('renderArticle after edits of a person', () => {
  it('keeps text outside of sections byte for byte, with CRLF and without a final line break', async () => {
    const first = await rendered([rules])
    const theirs = edited(first, (text) => `${text.replaceAll('\n', '\r\n')}\r\nMine: caf\u00e9 \u{1F980}`)
    const second = await rendered([{ ...rules, text: '## Rules\n\n- Retry three times.' }], theirs, first)
    const text = second.content.toString('utf8')
    expect(text).toContain('three times')
    expect(text.endsWith('\r\nMine: caf\u00e9 \u{1F980}')).toBe(true)
    expect(text.replaceAll('\r\n', '')).not.toContain('\n')
  })

  it('inserts a section in place of a removed one', async () => {
    const first = await rendered([history])
    const second = await rendered([rules], first, first)
    expect(second.content.toString('utf8')).toContain('- Retry twice.')
    expect(second.content.toString('utf8')).not.toContain('- Once.')
    expect((await rendered([rules], second, second)).content.equals(second.content)).toBe(true)
  })

  it('does not overwrite an edited section', async () => {
    const first = await rendered([rules, history])
    const theirs = edited(first, (text) => text.replace('Retry twice.', 'Retry never.'))
    const second = await rendered([{ ...rules, text: '## Rules\n\n- Retry five times.' }, history], theirs, first)
    expect(second.content.toString('utf8')).toContain('Retry never.')
    expect(second.edited).toEqual(['rules'])
    const third = await rendered([history], second, second)
    expect(third.content.toString('utf8')).toContain('Retry never.')
  })

  it('keeps a deleted section deleted', async () => {
    const first = await rendered([rules, history])
    const theirs = edited(first, (text) =>
      text.replace(/<!-- recollect:section rules[\s\S]*?\/recollect:section -->\n\n/, ''),
    )
    const second = await rendered([rules, history], theirs, first)
    expect(second.content.toString('utf8')).not.toContain('Retry twice')
    const third = await rendered([rules, history], second, second)
    expect(third.content.toString('utf8')).not.toContain('Retry twice')
  })

  it('keeps edits of title, tags and aliases, and unknown fields', async () => {
    const first = await rendered([rules])
    const theirs = edited(first, (text) =>
      text
        .replace('title: "Retries"', 'title: "Trying again"')
        .replace('tags: ["queue"]', 'tags:\n  - mine\ncssclass: wide'),
    )
    const second = await rendered([rules], theirs, first, { tags: ['queue', 'http'], updated: '2026-09-09' })
    const { head: now } = await readArticle(second.content)
    expect(now.title).toBe('Trying again')
    expect(now.tags).toEqual(['mine', 'http'])
    expect(now.updated).toBe('2026-09-09')
    expect(second.content.toString('utf8')).toContain('\ncssclass: wide\n')
  })

  it('keeps a byte order mark, comments in the head and an empty head', async () => {
    const first = await rendered([rules])
    const marked = Buffer.from(`\ufeff${first.content.toString('utf8').replace('tags:', '# ask Ann\ntags:')}`)
    const again = (await rendered([rules], marked, first)).content.toString('utf8')
    expect(again).toMatch(/^\ufeff---\ntitle: [\s\S]*\n# ask Ann\n---\n\n# Retries\n/)
    expect((await rendered([rules], Buffer.from('\ufeffMine.\n'))).content.toString('utf8')).toMatch(
      /^\ufeff---\ntitle: [\s\S]*\n---\nMine\.\n/,
    )
    const empty = Buffer.from('---\n---\n# note\nkey: value\n\n---\n\nmore\n')
    expect((await rendered([rules], empty)).content.toString('utf8')).toContain(
      '---\n# note\nkey: value\n\n---\n\nmore\n',
    )
  })

  it('ignores an edit that equals our text and trailing spaces after a marker', async () => {
    const first = await rendered([rules, history])
    const follows = edited(first, (text) => text.replace('Retry twice.', 'Retry thrice.').replaceAll(' -->', ' -->  '))
    const thrice = { ...rules, text: rules.text.replace('twice', 'thrice') }
    const second = await rendered([thrice, history], follows, first)
    expect(second.edited).toEqual([])
    expect((await rendered([rules], second, second)).content.toString('utf8')).toContain('Retry twice.')
  })

  it('leaves a file with an invalid head alone', async () => {
    const broken = Buffer.from('---\ntitle: [oops\n---\nMine')
    expect(await renderArticle({ head, sections: [rules] }, broken)).toEqual({
      problem: expect.stringMatching(/^line \d/),
    })
  })
})

describe('renderArticle with another title', () => {
  it('replaces our title above the text', async () => {
    const first = await rendered([rules])
    const renamed = { ...head, title: 'Retry policy' }
    const second = (await renderArticle({ head: renamed, sections: [rules] }, first.content, first)) as RenderedArticle
    expect(second.content.toString('utf8')).toContain('\n# Retry policy\n')
    expect(second).toMatchObject({ title: 'Retry policy' })
  })

  it('keeps the title of a person', async () => {
    const first = await rendered([rules])
    const mine = edited(first, (text) => text.replace(/title: .*/, 'title: Mine'))
    const renamed = { ...head, title: 'Retry policy' }
    const second = (await renderArticle({ head: renamed, sections: [rules] }, mine, first)) as RenderedArticle
    expect(second).toMatchObject({ title: 'Mine', head: { title: 'Retry policy' } })
  })
})

describe('renderArticle of a file of an earlier version', () => {
  it('replaces sections that are marked as text by a model', async () => {
    const first = await rendered([rules])
    const old = edited(first, (text) => text.replace(/(section rules [0-9a-f]+)/, '$1 model'))
    const second = await rendered([{ ...rules, text: '## Rules\n\n- Retry thrice.' }], old, first)
    expect(second.content.toString('utf8')).toContain('Retry thrice.')
    expect(second.content.toString('utf8')).not.toContain('Retry twice.')
  })
})

describe('renderArticle of untrusted text', () => {
  it('cannot contain markers', async () => {
    const evil = {
      name: 'rules',
      text: '- a\n<!-- /recollect:section -->\n<!-- recollect:section history 000000000000 -->\n- b',
    }
    const first = await rendered([evil, history])
    const second = await rendered([rules, history], first, first)
    expect(second.content.equals((await rendered([rules, history])).content)).toBe(true)
  })
})
