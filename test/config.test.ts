// `recollect config get|set|unset|edit`, on the file that users keep.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Place, place, recollect } from './program.ts'

let at: Place
let file: string
beforeEach(() => {
  at = place()
  file = join(at.store, 'config.toml')
  mkdirSync(at.store, { recursive: true })
})
afterEach(() => at.remove())

const mine = '# my file\n[retain]\nsoft = "2 GiB" # small disk\n\n[learn]\non = true\n'

describe('config set', () => {
  it.each([
    ['a size', 'retain.soft', '8 GiB', 'retain.soft: 8.0 GiB\n'],
    ['true or false', 'learn.on', 'false', 'learn.on: false\n'],
    ['a number', 'learn.fresh_days', '7', 'learn.fresh_days: 7\n'],
    ['a word', 'learn.when', 'turn', 'learn.when: turn\n'],
    ['a list with commas', 'capture.skip_agents', 'aider,goose', 'capture.skip_agents: ["aider", "goose"]\n'],
    ['a list of one', 'capture.ignore', '~/private', 'capture.ignore: ["~/private"]\n'],
    ['a key of a table', 'models.compile.claude', 'sonnet', 'models.compile.claude: sonnet\n'],
    ['a folder as key', 'projects.aliases./srv/a', 'github.com/acme/a', 'projects.aliases./srv/a: github.com/acme/a\n'],
  ])('takes %s and get shows it', (_, setting, typed, out) => {
    expect(recollect(at, 'config', 'set', setting, typed)).toMatchObject({ status: 0, out })
    expect(recollect(at, 'config', 'get', setting).out).toBe(out.slice(setting.length + 2))
  })

  it('changes one line and keeps the rest of the file', () => {
    writeFileSync(file, mine)
    expect(recollect(at, 'config', 'set', 'retain.soft', '3 GiB').err).toContain('Before: 2.0 GiB')
    expect(readFileSync(file, 'utf8')).toBe(mine.replace('"2 GiB" # small disk', '"3 GiB"'))
    recollect(at, 'config', 'unset', 'retain.soft')
    expect(readFileSync(file, 'utf8')).toBe('# my file\n[retain]\n\n[learn]\non = true\n')
  })

  it.each([
    ['a wrong value', ['learn.when', 'never'], '"rest" or "turn"'],
    ['a size without a unit', ['retain.soft', '8'], `recollect config set retain.soft '"4 GiB"'`],
    ['an unknown zone', ['display.zone', 'Mars/Olympus'], `recollect config set display.zone '"Europe/Berlin"'`],
    ['the name of a table', ['retain', '8'], 'Known settings: retain.soft, retain.hard, retain.max_age_days'],
    ['an unknown setting', ['retain.sofft', '1 GiB'], 'Did you mean retain.soft?'],
    ['a whole table', ['sources', '~/.claude'], 'recollect config set sources.<key>'],
    ['an agent that is unknown', ['sources.claud-code', '~/.claude'], 'Did you mean claude-code?'],
    ['limits the wrong way round', ['retain.hard', '1 GiB'], 'must not be smaller than retain.soft'],
  ])('refuses %s and leaves the file as it was', (_, args, hint) => {
    writeFileSync(file, mine)
    expect(recollect(at, 'config', 'set', ...args)).toMatchObject({ status: 2, err: expect.stringContaining(hint) })
    expect(readFileSync(file, 'utf8')).toBe(mine)
  })
})

describe('config edit', () => {
  it('writes what the editor returns', () => {
    writeFileSync(file, mine)
    at.env.EDITOR = 'sed -i s/2/5/'
    expect(recollect(at, 'config', 'edit').status).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(mine.replace('2 GiB', '5 GiB'))
  })

  it('writes no file with an error, and corrects one that has it', () => {
    writeFileSync(file, mine)
    at.env.EDITOR = 'sed -i s/2.GiB/huge/'
    expect(recollect(at, 'config', 'edit')).toMatchObject({ status: 1, err: expect.stringContaining('retain.soft') })
    expect(readFileSync(file, 'utf8')).toBe(mine)

    writeFileSync(file, mine.replace('2 GiB', 'huge'))
    at.env.EDITOR = 'sed -i s/huge/4GiB/'
    expect(recollect(at, 'config', 'edit').status).toBe(0)
    expect(recollect(at, 'config', 'get', 'retain.soft').out).toBe('4.0 GiB\n')
  })
})
