// The command as a person uses it: the built program, a folder of theirs.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepCandidates } from './keep-candidates.ts'
import { claudeSession, type Place, place, recollect, sessionName } from './program.ts'

const session = sessionName(1)

let at: Place
beforeAll(() => {
  at = place({
    [`.claude/projects/-home-dev-app/${session}.jsonl`]: claudeSession(session, 2, {
      says: (turn) => (turn === 1 ? 'No, never use npm in this project. Always use pnpm <script>.' : undefined),
    }),
  })
  expect(recollect(at, 'sweep').status).toBe(0)
  keepCandidates(at)
  recollect(at, 'sweep')
})
afterAll(() => at.remove())

const to = (name: string) => join(at.root, name)

describe('export', () => {
  it.each([
    ['html', 'index.html'],
    ['json', 'recollect.jsonl'],
    ['markdown', 'journal'],
  ])('as %s', (format, file) => {
    const { status, json } = recollect(at, 'export', '--format', format, to(format), '--json')
    expect(status).toBe(0)
    expect(json()).toMatchObject({ folder: to(format), left: [] })
    expect(existsSync(join(to(format), file))).toBe(true)
  })

  it('has the memory on the page of its project, as text', () => {
    recollect(at, 'export', '--format', 'html', to('site'))
    const pages = readdirSync(join(to('site'), 'memory')).filter((name) => name.startsWith('home-dev-app'))
    const page = readFileSync(join(to('site'), 'memory', pages[0]!), 'utf8')
    expect(page).toContain('Always use pnpm &lt;script&gt;')
    const [, session] = /href="(\.\.\/sessions\/[^"]+\.html)"/.exec(page)!
    const text = readFileSync(join(to('site'), 'memory', session!), 'utf8')
    expect(text).toContain('Always use pnpm &lt;script&gt;')
    expect(text).not.toContain('<script')
  })

  it('refuses a folder with other files', () => {
    mkdirSync(to('mine'))
    writeFileSync(join(to('mine'), 'thesis.txt'), '')
    const { status, err } = recollect(at, 'export', '--format', 'html', to('mine'))
    expect(status).toBe(2)
    expect(err).toContain('is not empty')
    expect(readdirSync(to('mine'))).toEqual(['thesis.txt'])
  })

  it('reports files that a person changed, with exit code 1', () => {
    recollect(at, 'export', '--format', 'html', to('edited'))
    writeFileSync(join(to('edited'), 'index.html'), 'mine')
    const { status, err } = recollect(at, 'export', '--format', 'html', to('edited'))
    expect(status).toBe(1)
    expect(err).toContain('index.html was changed since the export')
  })

  it.each([
    ['neither a format nor an agent', [], 'Missing --format or --to'],
    ['both', ['--format', 'html', '--to', 'claude-code', 'x'], 'Missing --format or --to'],
    ['an unknown format', ['--format', 'htlm', 'x'], 'Did you mean html?'],
    ['no folder', ['--format', 'html'], 'Missing output folder'],
    ['an option of the other way', ['--format', 'html', '--remove', 'x'], '--remove only works with --to'],
  ])('refuses %s', (_, args, said) => {
    const { status, err } = recollect(at, 'export', ...args)
    expect(status).toBe(2)
    expect(err).toContain(said)
  })
})
