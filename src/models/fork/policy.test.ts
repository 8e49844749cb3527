import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ForkScope, permit } from './policy.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'recollect-policy-')))
const project = join(root, 'app')
const staging = join(root, 'store', 'run', 'fork-1')
const territory: ForkScope = { cwd: project, readable: [project, staging], staging }

beforeAll(() => {
  for (const folder of [project, staging, join(root, '.ssh'), `${staging}0`]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(project, 'a.ts'), '')
  symlinkSync(join(root, '.ssh'), join(project, 'keys'))
  symlinkSync(project, join(staging, 'back'))
  symlinkSync(join(project, 'new.md'), join(staging, 'dangling.md'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const isAllowed = (tool: string, input: unknown) => permit(tool, input, territory).kind === 'allow'

describe('SPEC C.10: permit writing', () => {
  it.each([
    ['a new file', join(staging, 'a.md')],
    ['a new file in a new folder', join(staging, 'topic', 'a.md')],
  ])('is allowed in the staging folder: %s', (_, file_path) => {
    expect(isAllowed('Write', { file_path, content: 'x' })).toBe(true)
    expect(isAllowed('Edit', { file_path, old_string: 'x', new_string: 'y' })).toBe(true)
  })

  it.each<[string, unknown]>([
    ['the project', join(project, 'a.ts')],
    ['a folder whose name begins in the same way', `${staging}0/a.md`],
    ['the folder above', join(staging, '..', 'a.md')],
    ['dots', `${staging}/../a.md`],
    ['dots behind a link', `${staging}/back/../a.md`],
    ['a link to a folder', join(staging, 'back', 'a.ts')],
    ['a link to a file that is not there yet', join(staging, 'dangling.md')],
    ['another case', staging.toUpperCase()],
    ['NUL', `${staging}/a.md\0.txt`],
    ['a space before it', ` ${staging}/a.md`],
    ['a new line', `${staging}/a.md\n`],
    ['a relative path', 'store/run/fork-1/a.md'],
    ['a home', '~/a.md'],
    ['a share', `//server${staging}/a.md`],
    ['no path', undefined],
    ['a list', [join(staging, 'a.md')]],
    ['an object', { toString: () => join(staging, 'a.md') }],
    ['nothing', ''],
  ])('is refused elsewhere: %s', (_, file_path) => {
    expect(permit('Write', { file_path, content: 'x' }, territory)).toEqual({
      kind: 'deny',
      reason: `files may be written in ${staging} only`,
    })
  })

  it('refuses texts that are too long for a memory', () => {
    const file_path = join(staging, 'a.md')
    expect(isAllowed('Write', { file_path, content: 'x'.repeat(20_001) })).toBe(false)
    expect(isAllowed('Write', { file_path, content: ['x'] })).toBe(false)
  })
})

describe('SPEC C.10: permit reading', () => {
  it.each<[string, string, object]>([
    ['a file', 'Read', { file_path: join(project, 'a.ts') }],
    ['a file by its name', 'Read', { file_path: 'a.ts' }],
    ['what it wrote itself', 'Read', { file_path: join(staging, 'a.md') }],
    ['a search', 'Grep', { pattern: '/etc/passwd' }],
    ['a search in a folder', 'Grep', { pattern: 'x', path: project, glob: '*.{ts,tsx}' }],
    ['names', 'Glob', { pattern: 'src/**/*.ts' }],
    ['a folder', 'LS', { path: project }],
  ])('is allowed in the project: %s', (_, tool, input) => expect(isAllowed(tool, input)).toBe(true))

  it.each<[string, string, object]>([
    ['a key', 'Read', { file_path: join(root, '.ssh', 'id_x') }],
    ['a key behind a link', 'Read', { file_path: join(project, 'keys', 'id_x') }],
    ['the home', 'Read', { file_path: '~/.ssh/id_x' }],
    ['no path', 'Read', {}],
    ['a search elsewhere', 'Grep', { pattern: 'x', path: root }],
    ['names elsewhere', 'Glob', { pattern: '*', path: root }],
    ['names by a pattern that begins elsewhere', 'Glob', { pattern: '/etc/*' }],
    ['names by dots', 'Glob', { pattern: '../**' }],
    ['names by an alternative', 'Glob', { pattern: '{a,/etc/*}' }],
    ['names in the home', 'Glob', { pattern: '~/.ssh/*' }],
    ['a folder elsewhere', 'LS', { path: '/' }],
  ])('is refused elsewhere: %s', (_, tool, input) => expect(isAllowed(tool, input)).toBe(false))
})

describe('SPEC C.10: permit everything else', () => {
  it.each([
    ...['Agent', 'Task', 'Skill', 'WebFetch', 'WebSearch', 'NotebookEdit', 'MultiEdit', 'PowerShell', 'Monitor'],
    ...['ToolSearch', 'mcp__memory__store', 'AskUserQuestion', 'read', 'BASH', '', 'constructor'],
  ])('is denied with a reason: %s', (tool) => {
    expect(permit(tool, { file_path: join(staging, 'a.md'), command: 'ls' }, territory)).toEqual({
      kind: 'deny',
      reason: `${tool} is not for this task`,
    })
  })

  it.each([
    ['in the background', { command: 'ls', run_in_background: true }],
    ['outside of a sandbox', { command: 'ls', dangerouslyDisableSandbox: true }],
    ['in a way that is not known', { command: 'ls', shell: 'zsh' }],
    ['as a list', { command: ['ls'] }],
    ['without one', {}],
  ])('is denied: a command %s', (_, input) => expect(isAllowed('Bash', input)).toBe(false))

  it('denies an input that is not an object', () => {
    for (const input of [undefined, null, 'ls', ['ls'], 1]) expect(isAllowed('Bash', input)).toBe(false)
  })

  it('allows a plain read-only command', () => {
    expect(
      isAllowed('Bash', { command: 'git log', description: 'Look', timeout: 1000, run_in_background: false }),
    ).toBe(true)
  })
})
