import { describe, expect, it } from 'vitest'
import { planTomlTable, removeOwnedTable } from './plan-toml-table.ts'
import { applyTextEdits } from './text-edits.ts'

const table = {
  path: '/home/dev/.codex/config.toml',
  at: ['mcp_servers', 'recollect'],
  text: '[mcp_servers.recollect]\ncommand = "/store/bin/recollect"\nargs = [ "mcp" ]\n',
}
const isOurs = (value: unknown) => /^\/store\/.*bin\/recollect$/.test(String((value as { command?: string }).command))
const planned = (text: string) => applyTextEdits(text, planTomlTable(text, table, isOurs))

describe('planTomlTable', () => {
  it.each([
    ['an empty file', '', table.text],
    ['a file without servers', 'model = "big"\n', `model = "big"\n\n${table.text}`],
    [
      'other servers and odd spacing',
      '[ mcp_servers . files ]\n  command="files"   # mine',
      `[ mcp_servers . files ]\n  command="files"   # mine\n\n${table.text}`,
    ],
    ['line ends of Windows', 'a = 1\r\n', `a = 1\r\n\r\n${table.text.replaceAll('\n', '\r\n')}`],
  ])('appends the table to %s', (_, text, expected) => expect(planned(text)).toBe(expected))

  it.each([
    ['our table', `a = 1\n\n${table.text}`],
    [
      'our table with more keys',
      `${table.text}enabled = false\n\n[mcp_servers.recollect.tools.recall]\nmode = "auto"\n`,
    ],
    ['a table that the user wrote', '[mcp_servers.recollect]\ncommand = "recollect"\nargs = ["mcp"]\n'],
    ['an inline table that the user wrote', '[mcp_servers]\nrecollect = { command = "recollect" }\n'],
  ])('changes nothing for %s', (_, text) => expect(planTomlTable(text, table, isOurs)).toEqual([]))

  it('updates our keys where the table is and keeps others', () =>
    expect(
      planned(
        '[mcp_servers.recollect]\ncommand = "/store/old/bin/recollect"\nenabled = false\n\n# next\n[other]\na = 1\n',
      ),
    ).toBe(
      '[mcp_servers.recollect]\ncommand = "/store/bin/recollect"\nenabled = false\nargs = [ "mcp" ]\n\n# next\n[other]\na = 1\n',
    ))

  it('refuses a form that cannot be extended, and says how to write it', () =>
    expect(() => planned('mcp_servers = { files = { command = "files" } }\n')).toThrow(
      '/home/dev/.codex/config.toml: mcp_servers is written in a form that cannot be extended',
    ))

  it('refuses a file that is not TOML', () => expect(() => planned('a = \n')).toThrow('config.toml:1'))
})

describe('removeOwnedTable', () => {
  it.each([
    ['with the tables below it', `a = 1\n\n${table.text}\n[mcp_servers.recollect.env]\nX = "1"\n`, 'a = 1\n'],
    [
      'between others',
      `[x]\n\n${table.text}\n[mcp_servers.files]\ncommand = "f"\n`,
      '[x]\n\n[mcp_servers.files]\ncommand = "f"\n',
    ],
  ])('removes it %s', (_, text, expected) => expect(removeOwnedTable(text, table, isOurs)).toBe(expected))

  it('leaves a table that the user wrote', () => {
    const text = '[mcp_servers.recollect]\ncommand = "recollect"\n'
    expect(removeOwnedTable(text, table, isOurs)).toBe(text)
  })

  it('refuses an inline form of ours', () =>
    expect(() =>
      removeOwnedTable('mcp_servers = { recollect = { command = "/store/bin/recollect" } }\n', table, isOurs),
    ).toThrow('cannot be removed'))
})
