// Transcripts, file names, commits and memories are foreign text. Whatever they contain, no command
// may send it to the terminal as an escape sequence or a direction mark. The list of commands comes
// from the program, so that a new command is covered.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AddCommand, commandNames, loadCommand } from '../src/cli/commands.ts'
import { keepCandidates } from './keep-candidates.ts'
import { lines, type Place, place, recollect } from './program.ts'

const attack =
  '\u001b]52;c;ZXZpbA==\u0007\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e\u2066\u200e\u200f\u061c\u200b\u007f\b\u0085'
/** Each text has a word by which the test sees that it was printed. */
const text = (word: string) => `${attack}${word}${attack}`
const session = '11111111-1111-4111-8111-111111111111'

let at: Place
let project = ''
const ids = { memory: '', waiting: '', pattern: '' }

beforeAll(() => {
  at = place()
  project = join(at.home, `dir-${attack}-zebra`)
  mkdirSync(project, { recursive: true })
  writeFileSync(join(project, 'app.ts'), 'export const one = 1\n')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', `user.name=${text('author')}`, '-c', 'user.email=a@b.example', ...args], {
      cwd: project,
    })
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-qm', `subject ${text('subject')}`)
  const folder = join(at.home, '.claude', 'projects', '-zebra')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${session}.jsonl`), lines(transcript()))
  expect(recollect(at, 'sweep').status).toBe(0)
  recollect(at, 'remember', `Always paint the zebra ${text('memory')} in black`, '--global', '--tag', text('tag'))
  recollect(at, 'remember', `The zebra ${text('fact')} lives on port 5001`, '--global')
  const [memory] = recollect(at, 'memories', '--json').json()
  ids.memory = memory.id
  ids.pattern = 'p-none'
  const vault = join(at.store, 'vault', 'memory', 'global')
  writeFileSync(join(vault, 'bad.md'), `---\nkind: ${JSON.stringify(`zebra ${attack}`)}\n---\n\nA zebra.\n`)
  writeFileSync(join(vault, `own-zebra.md`), `A zebra ${text('vault')} needs two stables.\n`)
  keepCandidates(at)
  recollect(at, 'sweep')
})
afterAll(() => at.remove())

function transcript(): object[] {
  const base = {
    sessionId: session,
    cwd: project,
    version: `2.1.219${attack}`,
    gitBranch: `branch-${text('branch')}`,
    isSidechain: false,
  }
  const records: object[] = [{ type: 'summary', summary: `Title zebra ${text('title')}`, leafUuid: 'u9' }]
  let count = 0
  const add = (type: 'user' | 'assistant', message: object, more: object = {}) => {
    const uuid = `u${++count}`
    const parentUuid = count > 1 ? `u${count - 1}` : null
    const timestamp = new Date(Date.UTC(2026, 10, 1, 10, 0, count)).toISOString()
    records.push({ ...base, type, uuid, parentUuid, timestamp, message, ...more })
  }
  const call = (id: string, name: string, input: object) =>
    add('assistant', {
      id: `m${id}`,
      role: 'assistant',
      model: `claude-opus-4-6${attack}`,
      content: [{ type: 'tool_use', id, name, input }],
      usage: { input_tokens: 10, output_tokens: 20 },
    })
  const result = (id: string, content: string, isError: boolean, toolUseResult: unknown = {}) =>
    add(
      'user',
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }] },
      { toolUseResult },
    )
  for (let turn = 0; turn < 3; turn++) {
    add('user', { role: 'user', content: `Never feed the zebra ${text(`prompt${turn}`)} with npm, always use pnpm` })
    const file = join(project, turn === 0 ? 'app.ts' : `file-${text('file')}.ts`)
    call(`e${turn}`, 'Edit', { file_path: file, old_string: 'a', new_string: 'b' })
    result(`e${turn}`, 'done', false, { filePath: file, structuredPatch: [{ lines: ['-a', '+b'] }] })
    for (let again = 0; again < 3; again++) {
      call(`b${turn}${again}`, 'Bash', { command: `npm test ${text('command')}` })
      result(`b${turn}${again}`, `Exit code 1\nError: zebra ${text('error')} is missing`, true)
    }
    call(`t${turn}`, `mcp__${text('tool')}`, { query: text('input') })
    result(`t${turn}`, `result ${text('result')}`, false)
    add('assistant', {
      id: `a${turn}`,
      role: 'assistant',
      model: 'claude-opus-4-6',
      content: [{ type: 'text', text: `The zebra ${text('answer')} is fed because the port was wrong.` }],
      usage: { input_tokens: 10, output_tokens: 20 },
    })
  }
  return records
}

/** Arguments that make a command print much; others get hostile ones. */
const runs: Record<string, string[][] | (() => string[][])> = {
  search: [['zebra'], ['npm', 'test', '--in', 'tools']],
  recall: [
    ['zebra', 'port'],
    ['zebra', '--all'],
  ],
  remember: [[`A new zebra ${text('remembered')} arrives on Mondays`, '--global']],
  status: [[]],
  sessions: [[]],
  show: [[session], [session, '--full'], [`${session}#2`]],
  timeline: [[], ['zebra']],
  blame: () => [[join(project, 'app.ts')]],
  cost: [[], ['--by', 'project'], ['--by', 'model'], ['--judge']],
  memories: () => [[], ['--all'], [ids.memory]],
  forget: [[`m-${text('nothing')}`]],
  inbox: [[]],
  history: () => [[ids.memory]],
  undo: [['--list']],
  consolidate: [['--dry-run']],
  brief: () => [['--project', project]],
  import: [['--dry-run']],
  export: () => [['--dry-run'], [join(at.root, 'out')]],
  journal: [['2026-11-01'], ['--list']],
  wiki: [[]],
  'wiki show': [[`zebra${attack}`]],
  'wiki build': [['--dry-run'], []],
  'wiki ask': [['why is the zebra fed?']],
  'wiki lint': [['--structural-only']],
  'patterns detect': [['--min-frequency', '1', '--all']],
  'patterns review': [['--list'], [`p-${attack}`]],
  'patterns undo': [[`p-${attack}`]],
  'patterns list': [[]],
  'patterns show': [[`p-${attack}`]],
  'patterns retire': [[`p-${attack}`]],
  'patterns publish': [['--dry-run']],
  'patterns measure': [[]],
  retro: [[]],
  sync: [['--status']],
  'sync join': [[`http://${attack}.example`]],
  'sync leave': [[]],
  'sync retry': [[]],
  'sync dismiss': [[`m-${attack}`]],
  share: [['--list'], [`m-${attack}`, '--with', `team:${attack}`]],
  unshare: [[`s-${attack}`]],
  install: [['--dry-run'], ['--status'], [`claude${attack}`]],
  uninstall: [['--dry-run']],
  schedule: [['daily', '--dry-run']],
  config: [[]],
  models: [[]],
  'models allow': [[`m${attack}`]],
  'models deny': [[`m${attack}`]],
  'models try': [[`m${attack}`]],
  sweep: [['--dry-run'], []],
  doctor: [[]],
  du: [[]],
  rebuild: [[]],
  work: [[]],
  judge: [[`from now on always use pnpm ${attack} for the zebra`]],
}

/** Commands that run until they are stopped, or that need a database; their names are validated. */
const notRun = (path: string) => path === 'mcp' || path === 'watch' || path === 'serve' || path.startsWith('server')

/** Every command that runs something, with the number of arguments that it needs. */
async function commandPaths(): Promise<[path: string, required: number][]> {
  const program = new Command('recollect')
  const terminal = {} as Parameters<AddCommand>[0]['terminal']
  for (const name of commandNames) (await loadCommand(name))({ program, terminal, exit: () => {} })
  const paths = (command: Command, parents: string[]): [string, number][] => {
    const path = [...parents, command.name()]
    const required = command.registeredArguments.filter((argument) => argument.required).length
    const hasAction = '_actionHandler' in command && command._actionHandler !== null
    const own: [string, number][] = hasAction ? [[path.join(' '), required]] : []
    return [...own, ...command.commands.flatMap((child) => paths(child, path))]
  }
  return program.commands.flatMap((command) => paths(command, [])).filter(([path]) => !notRun(path))
}

const forbidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/

const commands = await commandPaths()

describe('output of the command line', () => {
  it('knows the commands that it has arguments for', () => {
    const paths = commands.map(([path]) => path)
    expect(Object.keys(runs).filter((path) => !paths.includes(path))).toEqual([])
    expect(paths.length).toBeGreaterThan(50)
  })

  it.each(commands)('M2: contains no control characters and direction marks: %s', (path, required) => {
    const given = runs[path] ?? [Array.from({ length: required }, () => attack)]
    let shown = ''
    for (const args of typeof given === 'function' ? given() : given) {
      for (const [env, more] of [
        [{}, []],
        [{ FORCE_COLOR: '1' }, []],
        [{}, ['--json']],
      ] as const) {
        const { out, err } = recollect({ ...at, env: { ...at.env, ...env } }, ...path.split(' '), ...args, ...more)
        const plain = `${out}${err}`.replace(/\u001b\[(?:0|1|2|31|32|33|34)m/g, '')
        expect(forbidden.exec(plain)?.index ?? -1, JSON.stringify(plain.slice(0, 2000))).toBe(-1)
        if (more.length === 0) shown += plain
      }
    }
    if (printsForeignText.has(path)) expect(shown).toContain('zebra')
  })

  it('M2: contains none in errors about the command line and in the overview', () => {
    for (const args of [[], [attack], ['sessions', `--${attack}`], ['show', attack], ['sessions', '--since', attack]]) {
      const { out, err } = recollect(at, ...args)
      expect(`${out}${err}`).not.toMatch(forbidden)
    }
  })

  it('escapes them in JSON without loss', () => {
    const [memory] = recollect(at, 'memories', '--json')
      .json()
      .filter(({ text }: { text: string }) => /black/.test(text))
    expect(memory.text).toContain('\u202e')
  })
})

const printsForeignText = new Set(
  'search recall sessions show timeline blame memories history undo brief journal wiki judge doctor'.split(' '),
)

it('has a vault to print from', () => {
  expect(readdirSync(join(at.store, 'vault')).toSorted()).toEqual(expect.arrayContaining(['journal', 'memory', 'wiki']))
})
