import { Command } from 'commander'
import { beforeAll, describe, expect, it } from 'vitest'
import { commandNames, loadCommand } from '../commands.ts'
import { addHelp } from '../guides.ts'
import { createTerminal } from '../terminal.ts'
import { argumentWords, type CommandNode, commandNodes, optionValues } from './tree.ts'

let nodes: CommandNode[]
beforeAll(async () => {
  const program = new Command('recollect')
  const terminal = createTerminal(process.stdout, process.stderr, { colour: false, columns: 80 })
  addHelp({ program, terminal, exit: () => {} })
  for (const name of commandNames) (await loadCommand(name))({ program, terminal, exit: () => {} })
  nodes = commandNodes(program)
})

const node = (path: string) => nodes.find((one) => one.path === path)!
const option = (path: string, flag: string) => node(path).options.find(({ flags }) => flags.includes(flag))!

describe('commandNodes', () => {
  it('has every command, and the commands of commands', () => {
    expect(nodes.map(({ path }) => path)).toEqual(expect.arrayContaining([...commandNames, 'server user add', 'help']))
    expect(node('server').commands.map(({ name }) => name)).toContain('user')
  })

  it.each([
    ['sessions', '--outcome', expect.arrayContaining(['success', 'open'])],
    ['sessions', '--kind', expect.arrayContaining(['health-check'])],
    ['remember', '--kind', expect.arrayContaining(['decision'])],
    ['server key create', '--role', ['reader', 'writer', 'admin']],
    ['search', '--batch', 'file'],
    ['search', '--since', 'text'],
    ['search', '--json', 'none'],
  ])('%s %s takes %j', (path, flag, value) => expect(option(path, flag).value).toEqual(value))

  it('knows the values of arguments', () => {
    expect(node('schedule').words).toContain('weekly')
    expect(node('install').words).toContain('plugin')
    expect(node('help').words).toEqual(expect.arrayContaining(['blame', 'hooks']))
  })

  it('has a use for every row of its tables', () => {
    const flags = nodes.flatMap(({ path, options }) => options.map((one) => `${path} ${one.flags.at(-1)}`))
    const unused = Object.keys(optionValues).filter(
      (name) => !flags.some((flag) => flag === name || flag.endsWith(` ${name}`)),
    )
    expect(unused).toEqual([])
    expect(Object.keys(argumentWords).filter((path) => node(path) === undefined)).toEqual([])
  })
})
