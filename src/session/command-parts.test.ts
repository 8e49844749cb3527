import { describe, expect, it } from 'vitest'
import { commandParts } from './command-parts.ts'

const cwd = '/home/dev/app'
const texts = (line: string) => commandParts(line, cwd).parts.map(({ text }) => text)
const programs = (line: string) => commandParts(line, cwd).parts.map(({ program }) => program)

describe('the commands of a line', () => {
  it.each([
    ['npm run lint && npm test', ['npm run lint', 'npm test']],
    ['FOO=1 timeout 60 npm test 2>&1 | tail -20', ['npm test']],
    ['go vet ./... > out.txt 2>&1; go test ./core -run TestTide', ['go vet ./...', 'go test ./core -run TestTide']],
    ['for d in a b; do go vet $d; done', ['go vet …']],
    ['if npm test; then npm run deploy; fi', ['npm test', 'npm run deploy']],
    ['make tides <<EOF\nrm -rf x\nEOF', ['make tides']],
    ['npm run \\\n  build', ['npm run build']],
    ['npm test # until it passes\r\nnpm run lint', ['npm test', 'npm run lint']],
  ])('%s', (line, expected) => {
    expect(texts(line)).toEqual(expected)
  })

  it('leaves out what only looks, prints, moves files or asks a program for what it has', () => {
    for (const line of [
      'ls -la && cat a.ts | grep x',
      'git commit -m "x"',
      'echo "npm test"',
      'node -e "1"',
      'python3 - <<EOF\nprint(1)\nEOF',
      'tide --help',
      'gh pr view 12',
      'bd list --json',
      'kelp hooks status',
      'apply_patch "*** Begin Patch"',
    ])
      expect(texts(line), line).toEqual([])
  })

  it('keeps scripts of the project whose names are such words', () => {
    expect(texts('npm run list && make info')).toEqual(['npm run list', 'make info'])
  })

  it('has a gap for values that are others next time', () => {
    expect(texts('gh run rerun 123456 --job $(cat id)')).toEqual(['gh run rerun … --job …'])
    expect(texts('go build -o /tmp/tide-x ./cmd/tide')).toEqual(['go build -o … ./cmd/tide'])
    expect(texts(`tide plot --title "${'long '.repeat(20)}" --zone "north sea"`)).toEqual([
      "tide plot --title … --zone 'north sea'",
    ])
    expect(texts(`go test ${cwd}/core/tide.go`)).toEqual(['go test core/tide.go'])
  })

  it('names the program with its subcommand', () => {
    expect(programs('mise run test && gh pr create --title x; python3 -m pytest -q')).toEqual([
      'mise run test',
      'gh pr create',
      'python3 -m pytest',
    ])
  })
})

describe('the folder of a line', () => {
  it.each([
    [`cd ${cwd} && npm test`, '', ['npm test']],
    [`cd ${cwd}/web && npm test`, 'web', ['npm test']],
    ['cd ./web/ && npm test', 'web', ['npm test']],
    ['cd packages && cd tide && npm test', 'packages/tide', ['npm test']],
    ['npm run build && cd ../web && npm test', '', ['npm run build']],
    ['cd "$DIR" && npm test', '', []],
  ])('%s', (line, folder, expected) => {
    const found = commandParts(line, cwd)
    expect({ folder: found.folder, parts: found.parts.map(({ text }) => text) }).toEqual({ folder, parts: expected })
  })
})

describe('a line that nobody would type', () => {
  const long = 64_000
  const lines = [
    '"'.repeat(long),
    "'".repeat(long - 1),
    '$('.repeat(long / 2),
    '\\'.repeat(long),
    '`'.repeat(long - 1),
    '('.repeat(long),
    'make <<A\n'.repeat(long / 9),
    `make ${'x'.repeat(long)}`,
    'make a;'.repeat(long / 7),
    `make ${'a '.repeat(long / 2)}`,
    '\r\n'.repeat(long / 2),
    'make \u0000\u001b[2J\u202e',
    `make ${'潮'.repeat(long)}`,
    '<'.repeat(long),
    '0>&'.repeat(long / 3),
  ]

  it('gives a few short commands', () => {
    for (const line of lines) {
      const { folder, parts } = commandParts(line, cwd)
      expect(folder.length).toBeLessThanOrEqual(4000)
      expect(parts.length, line.slice(0, 20)).toBeLessThanOrEqual(12)
      for (const { program, text } of parts) {
        expect(program.length).toBeLessThanOrEqual(60)
        expect(text.length).toBeLessThanOrEqual(30 * 80 + 30)
        expect(text).not.toMatch(/[\n\r]/)
      }
    }
  })
})
