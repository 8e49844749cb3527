// Practices into the instruction files of agents and out again, as a person does it on the command line.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claudeSession, lines, type Place, place, recollect, sessionName, start } from './program.ts'
import { sample } from './proof.ts'

const app = 'github.com/dev/app'
const shop = 'github.com/dev/shop'

let at: Place
beforeEach(() => {
  at = place()
  for (const [index, name] of ['app', 'shop'].entries()) {
    write(`${name}/.git/config`, `[remote "origin"]\n\turl = https://github.com/dev/${name}.git\n`)
    write(`${name}/.git/HEAD`, 'ref: refs/heads/main\n')
    const session = claudeSession(sessionName(index), 1, { cwd: join(at.home, name) })
    write(`.claude/projects/-${name}/${sessionName(index)}.jsonl`, lines(session))
  }
  expect(recollect(at, 'sweep').status).toBe(0)
})
afterEach(() => at.remove())

describe('patterns publish', () => {
  it('exits with 1 where there is nothing to publish', () => {
    const { status, err } = recollect(at, 'patterns', 'publish')
    expect({ status, err }).toEqual({ status: 1, err: expect.stringMatching(/No practice to publish/) })
  })

  it('shows a diff, and changes nothing without --apply', () => {
    practise('read-before-edit', { projects: [app] })
    const before = tree()
    const { status, out, err } = recollect(at, 'patterns', 'publish')
    expect(status).toBe(0)
    expect(out).toContain(`+++ ${join(at.home, 'app/CLAUDE.md')}`)
    expect(out).toContain('+- **Read before edit.** Rule of read-before-edit.')
    expect(err).toMatch(/Nothing was changed/)
    expect(tree()).toEqual(before)
    expect(recollect(at, 'patterns', 'publish', '--apply', '--dry-run').status).toBe(2)
  })

  const contents: [string, string | undefined][] = [
    ['no file', undefined],
    ['an empty file', ''],
    ['CRLF, no final newline', '# App\r\n\r\nUse pnpm.'],
    ['a byte order mark', '\uFEFF# App\n\nUse pnpm.\n'],
    ['mixed line ends', '# App\r\n\nUse pnpm.\n'],
  ]
  it.each(sample(contents, 2))(
    'publishes, publishes again and removes: every byte of two projects as before (%s)',
    (_, text) => {
      practise('read-before-edit', { projects: [app, shop] })
      practise('release', { projects: [app], steps: ['npm test', 'npm publish'] })
      practise('run-tests', {})
      for (const name of ['app', 'shop']) if (text !== undefined) write(`${name}/CLAUDE.md`, text)
      const before = tree()
      publish('--apply')
      const published = tree()
      expect(Object.keys(published).filter((path) => published[path] !== before[path])).toEqual([
        '.claude/CLAUDE.md',
        'app/.claude/skills/recollect-release/SKILL.md',
        'app/CLAUDE.md',
        'shop/CLAUDE.md',
      ])
      expect(published['.claude/CLAUDE.md']).not.toContain('read-before-edit')
      publish('--apply')
      expect(tree()).toEqual(published)
      publish('--remove', '--apply')
      expect(tree()).toEqual(before)
      expect(existsSync(join(at.home, 'app/.claude'))).toBe(false)
    },
  )

  it('follows the catalogue: reworded, retired and new practices', () => {
    practise('read-before-edit', { projects: [app] })
    publish('--apply')
    practise('read-before-edit', { projects: [app], rule: 'Read it whole.' })
    practise('small-commits', { projects: [app] })
    publish('--apply')
    expect(read('app/CLAUDE.md')).toMatch(/Read it whole\.\n- \*\*Small commits/)
    practise('read-before-edit', { projects: [app], status: 'retired' })
    publish('--apply')
    expect(read('app/CLAUDE.md')).not.toContain('Read it whole')
    practise('small-commits', { projects: [app], status: 'retired' })
    publish('--apply')
    expect(existsSync(join(at.home, 'app/CLAUDE.md'))).toBe(false)
  })

  it('leaves out practices without enough evidence, with the reason', () => {
    practise('seldom', { projects: [app], frequency: 2 })
    const { status, err } = recollect(at, 'patterns', 'publish', '--apply')
    expect({ status, err }).toEqual({ status: 1, err: expect.stringMatching(/Not published: Seldom: seen 2 times/) })
    expect(existsSync(join(at.home, 'app/CLAUDE.md'))).toBe(false)
  })

  it('removes one practice, for one agent or project only', () => {
    practise('read-before-edit', { projects: [app, shop] })
    practise('small-commits', { projects: [app] })
    publish('--apply')
    publish('--agent', 'codex', '--apply')
    const id = (name: string) => `id-${name}`
    publish('--remove', '--practice', id('small-commits'), '--agent', 'codex', '--apply')
    expect(read('app/AGENTS.md')).not.toContain('Small commits')
    expect(read('app/CLAUDE.md')).toContain('Small commits')
    publish('--remove', '--practice', id('read-before-edit'), '--apply')
    expect(existsSync(join(at.home, 'app/AGENTS.md'))).toBe(false)
    expect(existsSync(join(at.home, 'shop/CLAUDE.md'))).toBe(false)
    expect(read('app/CLAUDE.md')).toContain('Small commits')
    expect(publish('--remove', '--project', shop, '--json').json().files).toEqual([])
  })

  it('loses nothing when two processes publish at once', async () => {
    const names = ['one', 'two', 'three', 'four']
    for (const name of names) practise(name, { projects: [app] })
    const runs = names.map((name) => start(at, 'patterns', 'publish', '--practice', `id-${name}`, '--apply'))
    const codes = await Promise.all(runs.map(async (run) => (await once(run, 'close'))[0]))
    expect(codes).toEqual(names.map(() => 0))
    for (const name of names) expect(read('app/CLAUDE.md')).toContain(`Rule of ${name}.`)
  })

  it('does not remove practices whose file is unreadable', () => {
    for (const name of ['one', 'two']) practise(name, { projects: [app] })
    publish('--apply')
    const before = tree()
    writeFileSync(join(at.store, 'vault/practices/two.md'), '---\nid: [\n---\n')
    const run = recollect(at, 'patterns', 'publish', '--remove', '--practice', 'id-one', '--apply')
    expect(run).toMatchObject({ status: 3, err: expect.stringContaining('practices/two.md:') })
    expect(tree()['app/CLAUDE.md']).toBe(before['app/CLAUDE.md'])
    publish('--remove', '--apply')
    expect(existsSync(join(at.home, 'app/CLAUDE.md'))).toBe(false)
  })

  it('gives every agent each practice exactly once', () => {
    practise('read-before-edit', { projects: [app, shop] })
    write('app/AGENTS.md', '# App\n')
    write('app/.github/copilot-instructions.md', 'Be brief.\n')
    write('shop/AGENTS.md', '# Shop\n')
    symlinkSync('AGENTS.md', join(at.home, 'shop/CLAUDE.md'))
    const { files } = publish('--apply', '--json').json()
    expect(files.map(({ file, agents }: { file: string; agents: string[] }) => [file, agents])).toEqual([
      [
        join(at.home, 'app/AGENTS.md'),
        ['antigravity', 'claude-code', 'codex', 'copilot-cli', 'hermes', 'kiro', 'vibe'],
      ],
      [join(at.home, 'shop/CLAUDE.md'), ['antigravity', 'claude-code', 'codex', 'hermes', 'kiro', 'vibe']],
    ])
    expect(readlinkSync(join(at.home, 'shop/CLAUDE.md'))).toBe('AGENTS.md')
    expect(existsSync(join(at.home, 'app/CLAUDE.md'))).toBe(false)
    publish('--remove', '--agent', 'codex', '--apply')
    expect(read('shop/AGENTS.md')).toContain('Read before edit')
    publish('--remove', '--apply')
    expect(read('shop/AGENTS.md')).toBe('# Shop\n')
  })

  it('follows a CLAUDE.md link', () => {
    practise('read-before-edit', { projects: [app] })
    write('app/AGENTS.md', '# App\n')
    write('app/CLAUDE.md', '@AGENTS.md\n\nUse plan mode.\n')
    publish('--apply')
    expect(read('app/CLAUDE.md')).toBe('@AGENTS.md\n\nUse plan mode.\n')
    expect(read('app/AGENTS.md')).toContain('Read before edit')
  })

  it('writes a rule file for Cursor, and nothing for unknown agents', () => {
    practise('read-before-edit', { projects: [app] })
    publish('--agent', 'cursor', '--apply')
    expect(read('app/.cursor/rules/recollect.mdc')).toMatch(/^---\ndescription: Practices\nalwaysApply: true\n---\n/)
    publish('--agent', 'cursor', '--remove', '--apply')
    expect(existsSync(join(at.home, 'app/.cursor'))).toBe(false)
    expect(recollect(at, 'patterns', 'publish', '--agent', 'goose').status).toBe(2)
  })

  it('does not follow links out of the project, and continues with the others', () => {
    practise('read-before-edit', { projects: [app, shop] })
    write('.bashrc', 'export A=1\n')
    symlinkSync('../.bashrc', join(at.home, 'app/CLAUDE.md'))
    practise('release', { projects: [app], steps: ['npm test'] })
    mkdirSync(join(at.home, 'elsewhere'))
    symlinkSync('../elsewhere', join(at.home, 'app/.claude'))
    const { status, err } = recollect(at, 'patterns', 'publish', '--apply')
    expect({ status, err }).toEqual({ status: 3, err: expect.stringMatching(/leads out of the project/) })
    expect(err).toContain(`to ${join(realpathSync(at.home), 'elsewhere/skills/recollect-release/SKILL.md')}`)
    expect(read('.bashrc')).toBe('export A=1\n')
    expect(readdirSync(join(at.home, 'elsewhere'))).toEqual([])
    expect(read('shop/CLAUDE.md')).toContain('Read before edit')
  })

  it.each([
    ['it is a folder', (path: string) => mkdirSync(path), /cannot be read/],
    ['it is no UTF-8 text', (path: string) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0x41, 0])), /not UTF-8/],
    [
      'the block was edited',
      (path: string) => {
        publish('--apply', '--project', app)
        writeFileSync(path, readFileSync(path, 'utf8').replace('Rule of', 'My rule of'))
        practise('read-before-edit', { projects: [app, shop], rule: 'Another rule.' })
      },
      /lines of the block were changed/,
    ],
  ])('reports a file that cannot be edited and exits with 3: %s', (_, prepare, reason) => {
    practise('read-before-edit', { projects: [app, shop] })
    prepare(join(at.home, 'app/CLAUDE.md'))
    const before = tree()
    const { status, err } = recollect(at, 'patterns', 'publish', '--apply')
    expect({ status, err }).toEqual({ status: 3, err: expect.stringMatching(reason) })
    expect(tree()).toEqual({ ...before, 'shop/CLAUDE.md': expect.stringContaining('Read before edit') })
  })

  it.skipIf(process.getuid?.() === 0)('says that a file is read-only', () => {
    practise('read-before-edit', { projects: [app] })
    write('app/CLAUDE.md', '# App\n', 0o444)
    const { status, err } = recollect(at, 'patterns', 'publish', '--apply')
    expect({ status, err }).toEqual({ status: 3, err: expect.stringMatching(/cannot be written/) })
    expect(read('app/CLAUDE.md')).toBe('# App\n')
  })

  it('keeps file modes and backups, and creates new files readable for all', () => {
    practise('read-before-edit', { projects: [app, shop] })
    write('app/CLAUDE.md', '# App\n', 0o640)
    publish('--apply')
    expect(statSync(join(at.home, 'app/CLAUDE.md')).mode & 0o777).toBe(0o640)
    expect(statSync(join(at.home, 'shop/CLAUDE.md')).mode & 0o444).toBe(0o444)
    const copies = readdirSync(join(at.store, 'backups')).filter((name) => name.endsWith('-practices-CLAUDE.md'))
    expect(copies.map((name) => readFileSync(join(at.store, 'backups', name), 'utf8'))).toEqual(['# App\n'])
  })

  it('removes publications of another machine, and warns before overwriting them', () => {
    practise('read-before-edit', { projects: [app] })
    publish('--apply')
    const theirs = read('app/CLAUDE.md')
    rmSync(at.store, { recursive: true })
    expect(recollect(at, 'sweep').status).toBe(0)
    practise('small-commits', { projects: [app] })
    expect(publish().err).toMatch(/another user has published into it/)
    expect(read('app/CLAUDE.md')).toBe(theirs)
    publish('--remove', '--apply')
    expect(existsSync(join(at.home, 'app/CLAUDE.md'))).toBe(false)
  })

  it('ignores a folder that belongs to another project now', () => {
    practise('read-before-edit', { projects: [app] })
    write('app/.git/config', '[remote "origin"]\n\turl = https://github.com/other/thing.git\n')
    const { status, err } = recollect(at, 'patterns', 'publish', '--apply')
    expect({ status, err }).toEqual({ status: 1, err: expect.stringMatching(/no folder of github.com\/dev\/app/) })
  })

  it('is mentioned by uninstall', () => {
    practise('read-before-edit', { projects: [app] })
    publish('--apply')
    const { err } = recollect(at, 'uninstall', '--yes')
    expect(err).toContain(`Practices are still published in 1 file: ${join(at.home, 'app/CLAUDE.md')}`)
    publish('--remove', '--apply')
    expect(recollect(at, 'uninstall', '--yes').err).not.toContain('Practices')
  })

  it('publishes to the main working tree only, also from a worktree', () => {
    const git = (...args: string[]) => spawnSync('git', args, { cwd: join(at.home, 'tools'), encoding: 'utf8' })
    mkdirSync(join(at.home, 'tools'))
    git('init', '-q')
    git('-c', 'user.name=dev', '-c', 'user.email=dev@example.com', 'commit', '-q', '--allow-empty', '-m', 'begin')
    git('worktree', 'add', '-q', '../tools-wt')
    const session = claudeSession(sessionName(9), 1, { cwd: join(at.home, 'tools-wt') })
    write(`.claude/projects/-tools/${sessionName(9)}.jsonl`, lines(session))
    expect(recollect(at, 'sweep').status).toBe(0)
    practise('read-before-edit', { projects: [join(at.home, 'tools')] })
    publish('--apply')
    expect(read('tools/CLAUDE.md')).toContain('Read before edit')
    expect(existsSync(join(at.home, 'tools-wt/CLAUDE.md'))).toBe(false)
  })
})

interface Said {
  projects?: string[]
  rule?: string
  steps?: string[]
  status?: string
  frequency?: number
}

/** A practice as it stands in the catalogue. */
function practise(name: string, { projects = [], rule, steps = [], status = 'approved', frequency = 5 }: Said): void {
  const title = name.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase())
  const content = [
    '---',
    `id: id-${name}`,
    `status: ${status}`,
    `projects: ${JSON.stringify(projects)}`,
    `provenance: { frequency: ${frequency}, sessions: 2, agents: ["claude-code"], evidence: "e" }`,
    '---',
    '',
    `# ${title}`,
    '',
    '## Rule',
    '',
    rule ?? `Rule of ${name}.`,
    ...(steps.length > 0 ? ['', '## Steps', '', ...steps.map((step, index) => `${index + 1}. ${step}`)] : []),
    '',
  ].join('\n')
  mkdirSync(join(at.store, 'vault', 'practices'), { recursive: true })
  writeFileSync(join(at.store, 'vault', 'practices', `${name}.md`), content)
}

function publish(...args: string[]) {
  const run = recollect(at, 'patterns', 'publish', ...args)
  expect({ status: run.status, err: run.err }).toMatchObject({ status: 0 })
  return run
}

function write(path: string, content: string, mode?: number): void {
  mkdirSync(dirname(join(at.home, path)), { recursive: true })
  writeFileSync(join(at.home, path), content, { mode })
}

function read(path: string): string {
  return readFileSync(join(at.home, path), 'utf8')
}

/** Every file of the home with its bytes, one character for each. */
function tree(): Record<string, string> {
  const files = readdirSync(at.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort()
  return Object.fromEntries(paths.map((path) => [path.slice(at.home.length + 1), readFileSync(path, 'latin1')]))
}
