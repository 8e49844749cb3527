import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { scaled } from '../../../test/proof.ts'
import { randomNumbers } from '../../../test/random.ts'
import { readByCmd, readByPowerShell } from '../../../test/windows-shells.ts'
import { commandInFolder, commandLine, shellQuote } from './command-line.ts'

/** Ids, folders, paths and branch names as someone would choose them who wants a command to run. */
const hostile = [
  '--dangerously-skip-permissions',
  '-rf',
  '-',
  '--',
  '--%',
  "x'; touch /tmp/owned; '",
  `\\';touch /tmp/owned;'`,
  'x"; touch /tmp/owned; "',
  'x" & calc & "',
  'C:\\Users\\R&D\\%USERNAME%\\$(calc)',
  'C:\\ends with\\',
  '\\\\server\\share',
  '$(touch /tmp/owned)',
  '`touch /tmp/owned`',
  'a$IFS$9b',
  '%PATH:~0,1%calc',
  '!x!',
  'a^&b',
  'a|b>c<d;e&f',
  'feature/$(id)',
  '@{upstream}..--output=x',
  '=ls',
  '~root',
  '*?[a-z]{1,2}',
  '#comment',
  'two\nlines',
  'a\tb\rc',
  '\u001b]0;title\u0007',
  '\u201cx\u201d; calc',
  'ümläut 中文 😀',
  '',
]

const pieces = [...hostile, ...' \\"\'$`%!^&|<>;()[]{}*?~#=@,-/.:\n'.split(''), 'a', 'word']

function argumentLists(count: number): string[][] {
  const random = randomNumbers()
  const pick = <One>(from: readonly One[]) => from[Math.floor(random() * from.length)]!
  const argument = () => Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(pieces)).join('')
  const drawn = Array.from({ length: count }, () => Array.from({ length: 1 + Math.floor(random() * 3) }, argument))
  return [...hostile.map((one) => [one]), ...drawn]
}

const root = mkdtempSync(join(tmpdir(), 'recollect-shells-'))
afterAll(() => rmSync(root, { recursive: true }))

/** What the shell hands to a program, for each line. */
function readBy(shell: string, lines: readonly string[]): string[][] {
  const script = lines.map((line) => `printf '%s\\0' ${line}; printf '\\001\\0'`).join('\n')
  const { stdout, stderr } = spawnSync(shell, { input: script, encoding: 'utf8', maxBuffer: 1 << 28 })
  expect(stderr).toBe('')
  return stdout
    .split('\u0001\0')
    .slice(0, -1)
    .map((args) => args.split('\0').slice(0, -1))
}

const shells = ['sh', 'bash', 'dash', 'zsh', 'fish'].filter((one) => spawnSync(one, ['-c', 'exit 0']).status === 0)

describe.skipIf(process.platform === 'win32')('commandLine, in a real shell', () => {
  const lists = argumentLists(scaled(2000, 50_000))
  it.each(shells)('%s reads the arguments that were given', (shell) => {
    const lines = lists.map((args) => commandLine(args, 'sh')!)
    expect(readBy(shell, lines)).toEqual(lists)
  })

  it('also if every word is in quotes, as in the lines that agents run', () => {
    const all = lists.map((args) => args.map(shellQuote).join(' '))
    expect(readBy('sh', all)).toEqual(lists)
  })

  it('has a form that fish reads in the same way: no backslash in single quotes', () => {
    const lines = lists.map((args) => commandLine(args, 'sh')!)
    expect(lines.filter((line) => line.match(/'[^']*'|"[^"]*"/g)?.some((part) => /^'.*\\/s.test(part)))).toEqual([])
  })
})

describe('commandLine, for Windows', () => {
  const lists = argumentLists(scaled(5000, 200_000))
  it('is read alike by cmd and PowerShell, or is not written', () => {
    let written = 0
    for (const args of lists) {
      const line = commandLine(['claude', ...args], 'windows')
      if (line === undefined) continue
      written++
      expect([line, readByCmd(line)]).toEqual([line, [['claude', ...args]]])
      expect([line, readByPowerShell(line)]).toEqual([line, [['claude', ...args]]])
    }
    expect(written).toBeGreaterThan(lists.length / 20)
  })

  it.each([
    ['C:\\Program Files\\nodejs', '"C:\\Program Files\\nodejs"'],
    ['C:\\R&D\\(old) app', '"C:\\R&D\\(old) app"'],
    ['C:\\work\\app', 'C:\\work\\app'],
    ['--resume', '--resume'],
    ['C:\\100%\\x', undefined],
    ['C:\\x" & calc & "', undefined],
    ['C:\\$(calc)', undefined],
  ])('%s is %s', (text, expected) => expect(commandLine([text], 'windows')).toBe(expected))
})

describe('commandInFolder', () => {
  it.skipIf(process.platform === 'win32')('changes into the folder, whatever its name', () => {
    const names = argumentLists(scaled(20, 2000))
      .map((args) => args.join(' ').replaceAll('/', '_').slice(0, 80).trim())
      .filter((name) => !['', '.', '..'].includes(name))
    for (const name of new Set(names)) {
      const folder = join(root, name)
      mkdirSync(folder, { recursive: true })
      const line = commandInFolder(folder, ['printf', '%s', 'x\u0001y'], 'linux')
      if (/[\p{C}\p{Zl}\p{Zp}]/u.test(name)) expect(line).toBeUndefined()
      else {
        const { stdout } = spawnSync('sh', ['-c', `${line}; pwd`], { cwd: root, encoding: 'utf8' })
        expect(stdout).toBe(`x\u0001y${folder}\n`)
      }
    }
  })

  it.each([
    ['/home/dev/app', 'linux', 'cd /home/dev/app && claude --resume 1'],
    ["/home/dev/it's app", 'linux', `cd '/home/dev/it'"'"'s app' && claude --resume 1`],
    ['-P', 'linux', 'cd ./-P && claude --resume 1'],
    ['/a\u001b[2J', 'linux', undefined],
    [null, 'linux', 'claude --resume 1'],
    ['C:\\my app', 'win32', 'cd "C:\\my app" && claude --resume 1'],
    ['C:\\x" & calc & "', 'win32', undefined],
    ['C:\\%TEMP%', 'win32', undefined],
    ['C:\\a[1]', 'win32', undefined],
  ])('of %s on %s', (folder, platform, expected) => {
    expect(commandInFolder(folder, ['claude', '--resume', '1'], platform)).toBe(expected)
  })

  it('on Windows is read alike by cmd and PowerShell', () => {
    for (const [folder] of argumentLists(scaled(1000, 20_000))) {
      const line = commandInFolder(folder!, ['claude', '--resume', '1'], 'win32')
      if (line === undefined) continue
      const expected = [
        ['cd', folder],
        ['claude', '--resume', '1'],
      ]
      expect([readByCmd(line), readByPowerShell(line)]).toEqual([expected, expected])
    }
  })
})
