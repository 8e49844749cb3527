import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { collect } from '../../../test/agents/collect.ts'
import { aider } from './agent.ts'

describe('Aider', () => {
  const homes: string[] = []
  afterEach(() => {
    for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true })
  })

  describe('author of lines', () => {
    const tokens = '> Tokens: 10 sent, 5 received.  \n'
    it.each([
      [
        'a prompt after a fence that was never closed',
        '#### one  \n\n```\ncode\n\n#### two  \n',
        ['prompt', 'reply', 'prompt'],
      ],
      ['a heading in an answer', `#### one  \n\nPlan\n\n#### Step 1\n\nDo it\n\n${tokens}`, ['prompt', 'reply']],
      ['a quotation in an answer', `#### one  \n\nHe said\n\n> never\n\nand left\n\n${tokens}`, ['prompt', 'reply']],
      ['a prompt of two lines', '#### one  \n####   \n#### two  \n', ['prompt']],
      ['two prompts', '#### one  \n\n#### two  \n', ['prompt', 'prompt']],
      [
        'output of which only the first line is marked',
        '#### /run ls  \n> a.py\n\nb.py  \n\nA reply\n',
        ['shell', 'tool_result', 'reply'],
      ],
      ['lint output that Aider hands to itself', '#### # Fix any errors below, if possible.  \n', ['context']],
      ['a path, not a command', '#### /home/mira/a.py is broken  \n', ['prompt']],
      ['leaving at an idle prompt', `#### one  \n\nyes\n\n${tokens}> ^C again to exit  \n`, ['prompt', 'reply']],
      [
        'an answer written after the line that stopped it',
        '#### one  \n>  \n> ^C again to exit  \n\nOnce upon\n\n#### /ex  \n',
        ['prompt', 'reply', 'interrupt', 'command'],
      ],
      [
        'a question to the help pages',
        `#### /help how to undo?  \n\n#### # Question:  how to undo?  \n####   \n#### # Relevant docs:  \n#### <doc>  \n\nBy /undo\n\n${tokens}`,
        ['command', 'context', 'prompt', 'reply'],
      ],
      [
        'a refused edit',
        `#### one  \n\nnew.py\n\n${tokens}> new.py  \n> Create new file? [Y/n] n  \n> Skipping edits to new.py  \n`,
        ['prompt', 'reply', 'tool_call', 'tool_result'],
      ],
      ['stopping an answer', '#### one  \n\nOnce upon\n> ^C again to exit  \n', ['prompt', 'reply', 'interrupt']],
    ])('%s', (_, content, kinds) => {
      expect(read(content).events.map((event) => event.kind)).toEqual(kinds)
    })
  })

  it('counts the lines of an edit by its SEARCH/REPLACE blocks', () => {
    const block = 'a.py\n```\n<<<<<<< SEARCH\nkept\nold\n=======\nkept\nnew\nnewer\n>>>>>>> REPLACE\n```\n'
    const { events } = read(`#### one  \n\n${block}\n> Applied edit to a.py  \n`)
    expect(events.at(-1)?.files).toEqual([{ path: 'a.py', change: 'update', added: 2, removed: 1 }])
  })

  it('retracts a prompt with the last of its commits', () => {
    const commits = '> Commit aaaaaaa one  \n> Commit bbbbbbb two  \n'
    const { events } = read(
      `#### one  \n${commits}\n#### /undo  \n> Removed: bbbbbbb two  \n\n#### /undo  \n> Removed: aaaaaaa one  \n`,
    )
    expect(events.filter((event) => event.text.startsWith('Undone')).map((event) => event.undoes)).toEqual([
      undefined,
      1,
    ])
  })

  it("does not count a commit of the person's own changes for the prompt", () => {
    const { events } = read(
      `#### one  \n> Committing a.py before applying edits.  \n> Commit aaaaaaa mine  \n> Applied edit to a.py  \n> Commit bbbbbbb two  \n\n#### /undo  \n> Removed: bbbbbbb two  \n`,
    )
    expect(events.filter((event) => event.kind === 'lifecycle').map(({ text, undoes }) => ({ text, undoes }))).toEqual([
      { text: 'Committed before the edit: aaaaaaa mine', undoes: undefined },
      { text: 'Commit bbbbbbb two', undoes: undefined },
      { text: 'Undone: bbbbbbb two', undoes: 1 },
    ])
  })

  it('uses the folder of the file as repository and local time', () => {
    const { about, events } = read('#### one  \n')
    expect(about.cwd).toMatch(/src\/tidepool$/)
    expect(events[0]?.ts).toBe(new Date('2026-09-01T10:00:00').toISOString())
  })

  it('searches code folders two levels deep, except hidden folders and node_modules', () => {
    const content = '# aider chat started at 2026-09-01 10:00:00\n\n#### hi  \n'
    const name = '.aider.chat.history.md'
    const home = homeWith({
      [name]: content,
      [`src/a/${name}`]: content,
      [`src/group/b/${name}`]: content,
      [`src/group/b/deep/${name}`]: content,
      [`src/node_modules/c/${name}`]: content,
      [`src/.cache/d/${name}`]: content,
      [`elsewhere/e/${name}`]: content,
    })
    const found = [...aider.find(home)].map((transcript) => transcript.path.slice(home.length + 1))
    expect(found).toEqual([name, `src/a/${name}`, `src/group/b/${name}`])
  })

  function read(content: string) {
    const history = `\n# aider chat started at 2026-09-01 10:00:00\n\n${content}`
    const home = homeWith({ 'src/tidepool/.aider.chat.history.md': history })
    const { sessions } = collect(aider, { home, env: {}, platform: 'linux' })
    expect([...sessions.keys()]).toEqual(['tidepool@2026-09-01T10:00:00'])
    return [...sessions.values()][0]!
  }

  function homeWith(files: Record<string, string>): string {
    const home = mkdtempSync(join(tmpdir(), 'recollect-aider-'))
    homes.push(home)
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(home, path)), { recursive: true })
      writeFileSync(join(home, path), content)
    }
    return home
  }
})
