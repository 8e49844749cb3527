// What the documents say about agents, compared with the registry: lists of agents are easily forgotten.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agents } from '../src/agents/registry.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')

/** Rows of the table with this head, without the markup of code. */
function tableOf(text: string, head: string): string[][] {
  const [, rows = ''] = text.split(`| ${head} |\n`)
  const lines = rows.split('\n').slice(1)
  return lines.slice(0, lines.indexOf('')).map((line) => line.split('|').slice(1, -1).map(plain))
}

function plain(cell: string): string {
  return cell.replaceAll('`', '').trim()
}

const folders = tableOf(read('docs/agents.md'), 'agent | id | folders and files')
const names = folders.map(([name]) => name!.split(',')[0]!)

describe('docs/agents.md', () => {
  it('says of every agent where its transcripts are', () => {
    const ids = folders.map(([, id]) => id!)
    expect([...new Set(ids)].sort()).toEqual(agents.map(({ id }) => id).sort())
    expect(read('docs/agents.md')).toContain(`the ${agents.length} coding agents`)
  })

  it('says of every agent what is captured', () =>
    expect(tableOf(read('docs/agents.md'), 'agent | edits | tokens | cost | subagents | reading').map(first)).toEqual(
      names,
    ))

  it.each(['agent | variables', 'agent | recordings | source or documentation only'])(
    'lists agents in the same order in the table %s',
    (head) => {
      const listed = tableOf(read('docs/agents.md'), head).map(first)
      expect(listed).toEqual(names.filter((name) => listed.includes(name)))
    },
  )
})

function first([name]: string[]): string {
  return name!
}

it('docs/hooks.md has a row for every agent with hooks, in both tables', () => {
  const files = tableOf(read('docs/hooks.md'), 'agent | file | brief').map(first)
  expect(files).toHaveLength(agents.filter(({ hooks }) => hooks).length)
  expect(tableOf(read('docs/hooks.md'), 'agent | events').map(first)).toEqual(files)
})

it('docs/mcp.md has a row for every agent with MCP servers', () =>
  expect(tableOf(read('docs/mcp.md'), 'agent | file | key | checked')).toHaveLength(
    agents.filter(({ mcp }) => mcp).length,
  ))

it('docs/patterns.md has a row for every agent with instructions', () =>
  expect(
    tableOf(read('docs/patterns.md'), 'agent | rules of a project | rules of the user | skills of a project'),
  ).toHaveLength(agents.filter(({ instructions }) => instructions).length))

it('README.md names every agent', () => {
  const [, section = ''] = read('README.md').split('## Agents\n')
  const text = section.split('\n## ')[0]!.replace(/\s+/g, ' ')
  expect(text).toContain(`Sessions of ${agents.length} agents`)
  expect(agents.filter(({ name }) => !text.includes(name)).map(({ name }) => name)).toEqual([])
})
