// Each check with the smallest thing that is wrong in a wiki that is clean otherwise, and what `fix` makes of it.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  article,
  compiled,
  concept,
  day,
  edit,
  fileOf,
  findings,
  ledger,
  project,
  put,
  queue,
  read,
  remember,
  report,
  retries,
  source,
  statements,
  timeouts,
  useLintWiki,
  write,
} from '../../../test/lint-wiki.ts'
import type { ArticleSection } from '../article.ts'

useLintWiki()

/** A page that a person wrote. */
function byPerson(slug: string, text: string): void {
  const head = `title: ${slug}\nsources: [journal/${day}]\ncreated: ${day}\nupdated: ${day}`
  write(`wiki/concepts/${slug}`, `---\n${head}\n---\n\n${text}\n`)
}

describe('lintWiki of a clean wiki', () => {
  it('has no findings, and a report dated in the time zone of the user', async () => {
    expect(await report()).toEqual({
      day: '2026-11-02',
      articles: 3,
      days: 1,
      findings: [],
      counts: { error: 0, warning: 0, suggestion: 0, fixed: 0 },
      contradictions: null,
      path: 'wiki/reports/lint-2026-11-02.md',
    })
    expect(read('wiki/reports/lint-2026-11-02')).toBe(
      '# Lint 2026-11-02\n\n3 articles, 1 day of the journal: nothing to mend.\n\n' +
        'No model was asked whether articles contradict each other.\n',
    )
    expect(read('wiki/log')).toContain(' lint: nothing to mend\n')
  })

  it('is unchanged by fix', async () => {
    const before = [retries, timeouts, queue, 'wiki/index'].map(read)
    expect(await findings({ fix: true })).toEqual([])
    expect([retries, timeouts, queue, 'wiki/index'].map(read)).toEqual(before)
  })

  it('writes nothing without a wiki', async () => {
    rmSync(join(ledger.layout.vault, 'wiki'), { recursive: true })
    expect(await report({ fix: true })).toMatchObject({
      articles: 0,
      path: null,
      findings: [],
    })
    expect(existsSync(join(ledger.layout.vault, 'wiki'))).toBe(false)
  })
})

describe('lintWiki checks links', () => {
  it('SPEC A.46: a link that leads nowhere is an error, with its line', async () => {
    write(retries, `${read(retries)}\nSee [[wiki/concepts/gone]], [[concepts/gone|that]] and [[../../etc/passwd]].\n`)
    const line = read(retries).split('\n').length - 1
    expect(await findings()).toEqual([
      `broken-link ${retries}:${line} [[wiki/concepts/gone]] leads nowhere`,
      `broken-link ${retries}:${line} [[concepts/gone]] leads nowhere`,
      `broken-link ${retries}:${line} [[../../etc/passwd]] leads nowhere`,
    ])
    expect((await report()).counts).toEqual({ error: 3, warning: 0, suggestion: 0, fixed: 0 })
  })

  it.each([
    ['to the journal', `[[journal/${day}]]`],
    ['with another text', '[[wiki/concepts/queue|the queue]]'],
    ['to a heading', '[[wiki/concepts/queue#Rules|its rules]]'],
    ['below the wiki', '[[concepts/queue|the queue]]'],
    ['by name', '[[Queue]]'],
    ['in a table', '| [[wiki/concepts/queue\\|the queue]] |'],
    ['in code', '`[[gone]]`'],
    ['to an own page of a person', '[[notes/plan]]'],
  ])('SPEC A.46: a link %s is not broken', async (_, link) => {
    write('notes/plan', 'Later.\n')
    write(retries, `${read(retries)}\n${link}\n`)
    expect(await findings()).toEqual([])
  })

  it('a page that no article links to is an orphan; the index does not count, aliased links do', async () => {
    byPerson('alone', `${'A long text about it. '.repeat(50)} See [[${retries}]] and [[${timeouts}]].`)
    expect(await findings()).toContain('orphan-page wiki/concepts/alone No other article links to it')
    write(queue, `${read(queue)}\nSee [[wiki/concepts/alone|another text]].\n`)
    expect((await findings()).filter((finding) => finding.startsWith('orphan-page'))).toEqual([])
  })

  it('an answer is no orphan, and what it consulted need not link back', async () => {
    const text = `## Answer\n\n${statements('an answer').join('\n')}\n\nSee [[${retries}]] and [[${queue}]].`
    await put(article('answer', 'how-often', [{ name: 'answer', text }], { question: 'How often?' }))
    expect(await findings()).toEqual([])
  })

  it('a missing backlink is a suggestion, and fix adds it', async () => {
    await put(concept('timeouts', 'queue'))
    write(timeouts, `${read(timeouts)}\nSee [[${retries}]] first.\n`)
    await put(concept('retries', 'queue', 'queue'))
    const missing = `missing-backlink ${retries} ${timeouts} links to it, and it does not link back`
    expect(await findings()).toEqual([missing])
    expect(await findings({ fix: true })).toEqual([`fixed ${missing}`])
    expect(read(retries)).toContain(
      '- [[wiki/concepts/queue|queue]]\n- [[wiki/concepts/timeouts|timeouts]], which links here\n<!-- /',
    )
    expect(await findings()).toEqual([])
  })

  it('fewer than two links to other articles are a weak connection', async () => {
    byPerson('hub', `See [[${queue}]] first.`)
    expect((await findings()).filter((finding) => finding.startsWith('weak'))).toEqual([
      'weak-connectivity wiki/concepts/hub It leads on to one other page',
    ])
  })
})

describe('lintWiki checks sources', () => {
  it('an article whose day was written since it was compiled is stale', async () => {
    write(`journal/${day}`, '# Tuesday\n\nMore.\n')
    const stale = `has changed since it was compiled`
    expect(await findings()).toEqual(
      [queue, retries, timeouts].map((at) => `stale-article ${at} journal/${day} ${stale}`),
    )
    compiled()
    expect(await findings()).toEqual([])
  })

  it('an article whose memory changed since it was compiled is stale; those of other projects are not', async () => {
    remember('claude-code:s1', '/home/dev/other')
    remember('claude-code:s2', project)
    expect(await findings()).toEqual([])
    remember('claude-code:s1', project)
    expect(await findings()).toContain(
      `stale-article ${queue} A memory from claude-code:s1 has changed since it was compiled`,
    )
    compiled()
    expect(await findings()).toEqual([])
  })

  it('an article without an existing source is an error', async () => {
    write(
      'wiki/concepts/mine',
      read(queue).replaceAll('recollect:', 'mine:').replace('title: "queue"', 'title: "mine"'),
    )
    const errors = async () => (await findings()).filter((finding) => finding.startsWith('no-source'))
    expect(await errors()).toEqual([])
    edit('wiki/concepts/mine', /^sources: .*$/m, 'sources: ["journal/2020-01-01"]')
    expect(await errors()).toEqual(['no-source wiki/concepts/mine:1 It names no source that there is'])
    edit('wiki/concepts/mine', /^sources: .*$/m, 'sources: ["codex:0a1b2c"]')
    expect(await errors()).toEqual([])
  })

  it('memories by hand, imports and commits have a source', async () => {
    const other = ['told by hand', 'imported from `app/CLAUDE.md`', 'commit `0a1b2c3d4e`']
    const lines = other.map((how) => `- Retry twice (2026-09-01, ${how})`)
    const text = ['## Rules', '', ...lines, ...statements('retries')].join('\n')
    const [, related] = concept('retries', 'timeouts', 'queue').sections
    await put(article('concept', 'retries', [{ name: 'rules', text }, related!], { sources: [] }))
    expect(await findings()).toEqual([])
  })

  it.each([
    ['without any', '- Never retry a payment.'],
    ['with a link to another article', '- Never retry a payment ([[wiki/concepts/queue]])'],
  ])('a statement of ours %s is a warning', async (_, line) => {
    const text = ['## Rules', '', ...statements('retries'), line].join('\n')
    await put(
      article('concept', 'retries', [
        { name: 'rules', text },
        ...concept('retries', 'timeouts', 'queue').sections.slice(1),
      ]),
    )
    const at = read(retries).split('\n').indexOf(line) + 1
    expect(await findings()).toEqual([
      `unsourced-statement ${retries}:${at} It does not say where this comes from: ${line.slice(2)}`,
    ])
  })

  it('a statement of a person needs no source', async () => {
    write(retries, `${read(retries)}\n- I like it this way.\n`)
    edit(queue, `- Rule 3 about queue says what to do and what never to do ${source}`, '- My rule.')
    expect(await findings()).toEqual([])
  })
})

describe('lintWiki checks heads', () => {
  it.each([
    ['missing', /^---[\s\S]*?\n---\n/, '', 'It has no head'],
    ['never closed', /\n---\n/, '\n', 'The head begins and does not end'],
    ['unreadable', 'title: "retries"', 'title: "retries', 'Missing closing "quote'],
    ['without a title', 'title: "retries"\n', '', 'The head says nothing about title'],
    ['without dates', /created: .*\nupdated: .*\n/, '', 'The head says nothing about created, updated'],
    ['without sources', /sources: .*\n/, '', 'The head says nothing about sources'],
  ])('one that is %s is an error', async (_, from, to, message) => {
    edit(retries, from, to)
    const errors = (await findings()).filter((finding) => finding.startsWith('bad-head'))
    expect(errors).toEqual([expect.stringMatching(`^bad-head ${retries}:[12] ${message}`)])
  })

  it('two articles of a project with the same name are a warning', async () => {
    edit(timeouts, 'aliases: []', 'aliases: ["Queue"]')
    expect(await findings()).toEqual([`duplicate-article ${timeouts} ${queue} is named “Queue”, too`])
    edit(timeouts, `project: "${project}"`, 'project: "/home/dev/other"')
    expect(await findings()).toEqual([])
  })

  it('two file names that differ only in case are a warning', async () => {
    write('wiki/concepts/Queue', read(queue).replace('title: "queue"', 'title: "Waiting lines"'))
    expect(await findings()).toContain(`duplicate-article ${queue} wiki/concepts/Queue is named “queue”, too`)
  })

  it('a connection of fewer than two concepts that exist is an error', async () => {
    const sections: ArticleSection[] = [
      { name: 'insight', text: `## Insight\n\n${statements('both').join('\n')}` },
      { name: 'related', text: `## Related\n\n- [[${retries}]]\n- [[${queue}]]` },
    ]
    const bad = (count: number) =>
      `bad-connection wiki/connections/both:1 It connects ${count} concepts that exist; a connection needs two`
    await put(article('connection', 'both', sections, { connects: [retries, 'wiki/concepts/gone', retries] }))
    expect(await findings()).toContain(bad(1))
    await put(article('connection', 'both', sections, { connects: [] }))
    expect(await findings()).toContain(bad(0))
    await put(article('connection', 'both', sections, { connects: [retries, queue] }))
    expect((await findings()).filter((finding) => finding.startsWith('bad'))).toEqual([])
  })
})

describe('lintWiki checks texts', () => {
  const sparse = async () => (await findings()).filter((finding) => finding.startsWith('sparse'))

  it('SPEC A.46: fewer than 200 words without the head are sparse', async () => {
    byPerson('hub', 'Retry twice, then tell Ann.')
    expect(await sparse()).toEqual(['sparse-article wiki/concepts/hub It has 5 words'])
  })

  it('scripts without spaces have words, too', async () => {
    byPerson('hub', '再試行は二回まで。'.repeat(60))
    expect(await sparse()).toEqual([])
  })

  it('an article of ours may be short, link to little and be linked by none', async () => {
    await put(article('concept', 'hub', [{ name: 'rules', text: `## Rules\n\n- Retry twice ${source}` }]))
    expect(await findings()).toEqual([])
  })
})

describe('lintWiki checks the index', () => {
  it('is rewritten by fix if an article is missing or deleted', async () => {
    const own = read(queue).replace('title: "queue"', 'title: "mine"').replaceAll('recollect:', 'mine:')
    write('wiki/concepts/mine', own)
    rmSync(fileOf(timeouts))
    write(retries, read(retries).replace(/.*wiki\/concepts\/timeouts.*\n/, ''))
    const wrong = (await findings()).filter((finding) => /^(?:unindexed|row)/.test(finding))
    expect(wrong).toEqual([
      'row-without-article wiki/index:10 There is no wiki/concepts/timeouts',
      'unindexed-article wiki/concepts/mine The index does not list it',
    ])
    expect(await findings({ fix: true })).toEqual(expect.arrayContaining(wrong.map((finding) => `fixed ${finding}`)))
    expect(read('wiki/index')).toContain('[[wiki/concepts/mine\\|mine]]')
    expect(read('wiki/concepts/mine')).toBe(own)
  })

  it('SPEC A.47: a summary of more than 200 characters and more than three sources are suggestions', async () => {
    const days = [1, 2, 3, 4].map((one) => `[[journal/${day}\\|${one}]]`).join(', ')
    edit(
      'wiki/index',
      /^\| \[\[wiki\/concepts\/queue.*$/m,
      `| [[${queue}\\|queue]] | ${'a \\| b '.repeat(50)} | ${days} | ${day} |`,
    )
    expect(await findings()).toEqual([
      `long-summary wiki/index:8 The summary of ${queue} has 299 characters`,
      `many-sources wiki/index:8 ${queue} has 4 sources there`,
    ])
  })
})

describe('lintWiki with fix', () => {
  it('replaces broken links of ours by their text', async () => {
    const text = (first: string, second: string) =>
      `## Summary\n\nIt is ${first} and ${second}. ${source}\n\n\`[[wiki/concepts/gone]]\` is code.`
    const summary = {
      name: 'summary',
      text: text('[[wiki/concepts/gone|what was]]', '[[wiki/concepts/lost]]'),
    } as const
    await put({ ...concept('retries', 'timeouts', 'queue'), sections: [summary] })
    expect((await findings({ fix: true })).filter((finding) => finding.includes('broken'))).toEqual([
      expect.stringMatching(/^fixed broken-link .* \[\[wiki\/concepts\/gone\]\]/),
      expect.stringMatching(/^fixed broken-link .* \[\[wiki\/concepts\/lost\]\]/),
    ])
    expect(read(retries)).toContain(text('what was', 'lost'))
  })

  it('leaves text of a person and still reports it', async () => {
    write(retries, `${read(retries)}\nMine: [[wiki/concepts/gone]].\n`)
    edit(queue, '- Rule 3 about queue', '- Edited: [[wiki/concepts/gone]] about queue')
    edit(timeouts, /<!-- recollect:section related[\s\S]*?\/recollect:section -->\n/, '')
    const before = [retries, queue, timeouts].map(read)
    const wrong = await findings()
    expect(wrong.map((finding) => finding.split(' ', 2).join(' '))).toEqual([
      expect.stringContaining(`broken-link ${queue}`),
      expect.stringContaining(`broken-link ${retries}`),
      `missing-backlink ${timeouts}`,
      `missing-backlink ${timeouts}`,
    ])
    expect(await findings({ fix: true })).toEqual(wrong)
    expect([retries, queue, timeouts].map(read)).toEqual(before)
  })

  it('removes an outdated backlink', async () => {
    const mine = read(timeouts)
    await put(concept('hub', 'queue', 'retries'), concept('queue', 'retries', 'timeouts', 'hub'))
    write(timeouts, `${mine}\nSee [[wiki/concepts/hub]].\n`)
    await findings({ fix: true })
    expect(read('wiki/concepts/hub')).toContain('- [[wiki/concepts/timeouts|timeouts]], which links here\n')
    write(timeouts, mine)
    await findings({ fix: true })
    expect(read('wiki/concepts/hub')).not.toContain('timeouts')
    expect(read(timeouts)).toBe(mine)
    expect(read('wiki/concepts/hub')).toContain(
      '- [[wiki/concepts/queue|queue]]\n- [[wiki/concepts/retries|retries]]\n<',
    )
  })

  it('is idempotent', async () => {
    await put(concept('retries', 'gone', 'lost'), concept('more', 'retries', 'queue'))
    write(timeouts, read(timeouts).replaceAll('\n', '\r\n'))
    await findings({ fix: true })
    const all = ['index', 'concepts/retries', 'concepts/timeouts', 'concepts/queue', 'concepts/more']
    const once = all.map((name) => read(`wiki/${name}`))
    await findings({ fix: true })
    expect(all.map((name) => read(`wiki/${name}`))).toEqual(once)
    expect(once[2]).not.toMatch(/[^\r]\n/)
    expect(once[1]).toContain('- [[wiki/concepts/more|more]]')
  })

  it('adds a missing section and escapes titles', async () => {
    await put(article('concept', 'bare', [{ name: 'rules', text: statements('bare').join('\n') }]))
    const named = concept('named', 'bare', 'queue')
    await put({ ...named, head: { ...named.head, title: 'Named | <b>]] x' } })
    await findings({ fix: true })
    expect(read('wiki/concepts/bare')).toContain(
      '## Related\n\n- [[wiki/concepts/named|Named &lt;b> x]], which links here\n<!-- /recollect:section -->',
    )
  })
})
