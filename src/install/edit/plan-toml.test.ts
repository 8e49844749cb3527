import { describe, expect, it } from 'vitest'
import { ownedByCommand } from './owned-entries.ts'
import { planToml, removeOwnedToml } from './plan-toml.ts'
import { applyTextEdits } from './text-edits.ts'

const isOurs = ownedByCommand((command) => command.startsWith('recollect'))
const path = '/home/dev/config.toml'
const block = '# Recollect\n[[hooks]]\nevent = "Stop"\ncommand = "recollect stop"\n'

describe('planToml adds our block', () => {
  it.each([
    ['to an empty file', '', block],
    ['below an empty line', 'a = 1\n', `a = 1\n\n${block}`],
    ['below the empty line that is there', 'a = 1\n\n', `a = 1\n\n${block}`],
    ['below a last line without an end', 'a = 1', `a = 1\n\n${block}`],
    ['with the line breaks of the file', 'a = 1\r\n', `a = 1\r\n\r\n${block.replaceAll('\n', '\r\n')}`],
    ['below the hooks of the user', '[[hooks]]\ncommand = "lint"\n', `[[hooks]]\ncommand = "lint"\n\n${block}`],
  ])('%s', (_, text, expected) => {
    expect(install(text)).toBe(expected)
  })

  it('only once, even if the file was reformatted', () => {
    const text = 'hooks = [{ command = "recollect stop", event = "Stop" }]\n'
    expect(install(text)).toBe(text)
  })

  it.each([
    ['written by an earlier install', [block.replace('stop', 'old')]],
    ['that nobody remembers', []],
  ])('in the place of an older form %s', (_, texts) => {
    const text = `a = 1\n\n${block.replace('stop', 'old')}\n[other]\nb = 2\n`
    expect(install(text, texts)).toBe(`a = 1\n\n${block}\n[other]\nb = 2\n`)
  })
})

describe('planToml names the line of an error', () => {
  it.each([
    ['of what is not TOML', 'a = 1\nb = \n', `${path}:2:5 is not valid TOML`],
    [
      'of hooks that cannot be added to',
      'a = 1\nhooks = [{ command = "lint" }]\n',
      `${path}:2: hooks is written in a form`,
    ],
    ['of a table with the name of the list', '[hooks]\na = 1\n', `${path}:1: hooks is written in a form`],
  ])('%s', (_, text, message) => {
    expect(() => install(text)).toThrow(message)
  })
})

describe('removeOwnedToml recognises our block by its content', () => {
  it.each([
    ['at the end', `a = 1\n\n${block}`, 'a = 1\n'],
    ['in the middle', `a = 1\n\n${block}\n# mine\n[other]\nb = 2\n`, 'a = 1\n\n# mine\n[other]\nb = 2\n'],
    ['in another form', '[[hooks]] # x\ntimeout = 5\ncommand = "recollect old"\n[other]\n', '[other]\n'],
    [
      'between those of the user',
      `[[hooks]]\ncommand = "a"\n\n${block}\n[[hooks]]\ncommand = "b"\n`,
      '[[hooks]]\ncommand = "a"\n\n[[hooks]]\ncommand = "b"\n',
    ],
    [
      'with what belongs to it',
      '[[hooks.Stop]]\nmatcher = ""\n[[hooks.Stop.hooks]]\ncommand = "recollect stop"\n\n[b]\nc = 1\n',
      '[b]\nc = 1\n',
    ],
    [
      'and not what only looks like it',
      `text = """\n${block}${block}"""\n\n${block}`,
      `text = """\n${block}${block}"""\n`,
    ],
    ['and not the arguments of the user', 'args = ["-c", "recollect"]\n', 'args = ["-c", "recollect"]\n'],
    ['where there is none', 'a = 1\n', 'a = 1\n'],
  ])('%s', (_, text, expected) => {
    expect(removeOwnedToml(text, path, { isOurs, texts: [block] })).toBe(expected)
  })

  it('and refuses where other settings would change', () => {
    const text = 'hooks = [{ command = "recollect stop" }, { command = "lint" }]\n'
    expect(() => removeOwnedToml(text, path, { isOurs, texts: [] })).toThrow(`${path}: our hooks cannot be removed`)
  })
})

function install(text: string, texts: string[] = []): string {
  return applyTextEdits(text, planToml(text, path, block, { isOurs, texts }))
}
