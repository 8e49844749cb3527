import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scaled } from '../../../test/proof.ts'
import { type ReadScope, readOnlyCommands, shellObjection } from './read-only-shell.ts'

const root = mkdtempSync(join(tmpdir(), 'recollect-shell-'))
const project = join(root, 'app')
const sight: ReadScope = { cwd: project, folders: [project] }
const isReadOnly = (line: string) => shellObjection(line, sight) === undefined

beforeAll(() => {
  mkdirSync(join(project, 'src'), { recursive: true })
  mkdirSync(join(root, '.ssh'))
  writeFileSync(join(root, '.ssh', 'id_x'), 'made-up key')
  symlinkSync(join(root, '.ssh'), join(project, 'keys'))
  symlinkSync(join(root, 'nowhere'), join(project, 'dangling'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('SPEC C.10: a shell line runs only when it is certain to be read-only', () => {
  it.each([
    'ls',
    'ls -la src',
    `cat ${project}/src/a.ts`,
    'git log --oneline -20',
    'git log -n 5 --format="%h %s" -- src/a.ts',
    'git diff HEAD~2 main..topic',
    'git show HEAD:src/a.ts | head -50',
    'git status --short && git branch --show-current',
    'git blame -L 1,20 src/a.ts',
    "grep -rn 'a | b; rm -rf $HOME > x' src",
    'grep -rn "never (ever)" src 2>/dev/null | wc -l',
    "find . -name '*.ts' -not -path './dist/*'",
    'sed -n 1,20p src/a.ts',
    'sort -u src/a.ts | uniq -c 2>&1',
    "echo 'done > done'",
  ])('allows %s', (line) => expect(shellObjection(line, sight)).toBeUndefined())

  it.each([
    ['another command', 'rm -rf src'],
    ['another command behind one that is allowed', 'git log; rm -rf src'],
    ['another command in a pipe', 'cat src/a.ts | tee src/b.ts'],
    ['a shell', "sh -c 'rm x'"],
    ['what runs its arguments', 'xargs rm'],
    ['an interpreter', "awk 'BEGIN { system(1) }'"],
    ['a path to a command', '/bin/ls'],
    ['a name of the language', 'constructor'],
    ['redirection', 'echo x > src/a.ts'],
    ['redirection without a space', 'ls>x'],
    ['appending', 'echo x >> src/a.ts'],
    ['reading from a file', 'cat < /etc/passwd'],
    ['a here-document', 'cat << x\nrm y\nx'],
    ['both streams', 'ls &> x'],
    ['a pipe of both streams', 'ls |& tee x'],
    ['substitution', 'cat $(rm x)'],
    ['substitution in quotes', 'echo "$(rm x)"'],
    ['backticks', 'cat `rm x`'],
    ['backticks in quotes', 'echo "`rm x`"'],
    ['processes as files', 'cat <(rm x)'],
    ['a variable', 'cat $HOME/.ssh/id_x'],
    ['a variable in quotes', 'cat "$HOME/.ssh/id_x"'],
    ['an assignment', 'PAGER=rm git log'],
    ['an assignment alone', 'PATH=.'],
    ['the background', 'ls & rm x'],
    ['a second line', 'ls\nrm x'],
    ['a carriage return', 'ls\rrm x'],
    ['a continued line', 'ls \\\nrm'],
    ['an escape', 'l\\s'],
    ['a glob', 'cat src/*'],
    ['a qualified glob of zsh', "ls *(e:'rm x':)"],
    ['braces', 'cat {a,b}'],
    ['history', 'echo "!!"'],
    ['a group', '(rm x)'],
    ['a function', 'ls() { rm x; }; ls'],
    ['a comment that hides a line', 'ls # x'],
    ['an open quote', "echo 'x"],
    ['an empty command', 'ls && '],
    ['two semicolons', 'ls ;; ls'],
    ['a path that zsh looks up', 'cat =rm'],
    ['the home', 'cat ~/.ssh/id_x'],
    ['another home', 'ls ~root'],
    ['a path outside', 'cat /etc/passwd'],
    ['a path outside by dots', 'cat ../.ssh/id_x'],
    ['a path outside by a link', 'cat keys/id_x'],
    ['a link that leads nowhere', 'cat dangling'],
    ['a file that is named by an option', 'grep -f /etc/passwd x'],
    ['find with a command', 'find . -exec rm {} +'],
    ['find that deletes', 'find . -delete'],
    ['find that writes', 'find . -fprint x'],
    ['find that follows links', 'find -L .'],
    ['sort into a file', 'sort -o src/a.ts src/a.ts'],
    ['sort into a file, joined', 'sort -uosrc/a.ts src/a.ts'],
    ['uniq into a file', 'uniq src/a.ts src/b.ts'],
    ['sed in place', 'sed -i s/a/b/ src/a.ts'],
    ['sed that writes', "sed -n 'w x' src/a.ts"],
    ['sed that runs', "sed -n '1e rm x' src/a.ts"],
    ['git that pushes', 'git push'],
    ['git that commits', 'git commit -am x'],
    ['git with an option before', 'git -c core.pager=rm log'],
    ['git elsewhere', 'git -C / log'],
    ['git into a file', 'git diff --output=src/a.ts'],
    ['git with a program for diffs', 'git log --ext-diff'],
    ['git that makes a branch', 'git branch topic'],
    ['git that deletes a branch', 'git branch -D topic'],
    ['a program for the output', 'git log --paginate'],
    ['tail without an end', 'tail -f src/a.ts'],
    ['nothing', ''],
  ])('refuses %s', (_, line) => expect(shellObjection(line, sight)).toBeTypeOf('string'))

  const listed = Object.keys(readOnlyCommands)
  const word = fc.stringMatching(/^[a-z][a-z0-9.-]{0,8}$/)
  const unlisted = fc.oneof(
    fc.constantFrom(
      'rm',
      'mv',
      'tee',
      'sh',
      'env',
      'xargs',
      'npm',
      'curl',
      'eval',
      'exec',
      'command',
      'time',
      'if',
      '!',
    ),
    word.filter((name) => !listed.includes(name)),
  )
  const separator = fc.constantFrom(' | ', ' && ', ' || ', '; ', '|', ';')
  const plain = fc.constantFrom('ls', 'git log', 'cat src/a.ts', "grep 'x' src", 'wc -l', 'pwd')

  it('refuses every line in which any command is not listed', () => {
    const line = fc.tuple(
      fc.array(fc.tuple(plain, separator)),
      unlisted,
      fc.array(word),
      fc.array(fc.tuple(separator, plain)),
    )
    fc.assert(
      fc.property(line, ([before, name, words, after]) => {
        const text = `${before.flat().join('')}${[name, ...words].join(' ')}${after.flat().join('')}`
        expect(isReadOnly(text)).toBe(false)
      }),
    )
  })

  it('refuses every line with a piece that a shell could act on, wherever it stands outside of quotes', () => {
    const piece = fc.constantFrom(
      '$(rm x)',
      '`rm x`',
      '>x',
      '<x',
      '\n',
      '&',
      '(',
      '{',
      '*',
      '?',
      '[',
      '\\',
      '$x',
      '#',
      '!',
    )
    fc.assert(
      fc.property(plain, piece, fc.nat(), (line, odd, at) => {
        const place = line.includes("'") ? line.length : at % (line.length + 1)
        expect(isReadOnly(`${line.slice(0, place)}${odd}${line.slice(place)}`)).toBe(false)
      }),
    )
  })

  // What passes is given to real shells, in which every command is one that writes down that it was called.
  it.skipIf(!existsSync('/bin/sh'))('lets a real shell start nothing but listed commands, whatever passes', () => {
    const bin = join(root, 'bin')
    mkdirSync(bin)
    for (const name of [...listed, 'rm', 'tee', 'x', 'a']) {
      writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} >>${root}/called\n`)
      chmodSync(join(bin, name), 0o755)
    }
    const pieces =
      'ls cat git log rm tee x a | && ; & > < 2>&1 " \' $( ) ` \\ = -n - / ~ # ! { } * $x 2>/dev/null >/dev/null'
    const token = fc.constantFrom(' ', '\n', ...pieces.split(' '))
    const start = fc.array(fc.tuple(plain, separator), { maxLength: 2 }).map((parts) => [...parts.flat(), 'cat '])
    const insertions = fc.array(fc.tuple(token, fc.nat()), { maxLength: 4 })
    const lines = fc.sample(fc.tuple(start, insertions), { numRuns: scaled(1000, 5000) }).map(([parts, odd]) =>
      odd.reduce((line, [text, at]) => {
        const place = at % (line.length + 1)
        return `${line.slice(0, place)}${text}${line.slice(place)}`
      }, parts.join('')),
    )
    const passed = [...new Set(lines.filter(isReadOnly))].slice(0, scaled(15, 150))
    expect(passed.length).toBeGreaterThan(scaled(10, 50))
    const before = readdirSync(project)
    for (const line of passed) {
      for (const shell of ['/bin/sh', '/bin/bash'].filter((path) => existsSync(path))) {
        spawnSync(shell, ['-c', line], { cwd: project, env: { PATH: bin, HOME: root }, input: '' })
      }
    }
    const called = existsSync(join(root, 'called')) ? readFileSync(join(root, 'called'), 'utf8').split('\n') : []
    expect(called.filter((name) => name !== '' && !listed.includes(name))).toEqual([])
    expect(called).toContain('cat')
    expect(readdirSync(project)).toEqual(before)
  })
})
