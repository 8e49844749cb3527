// Rebuild recomputes derived data and never loses captured data.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { capture } from '../src/capture/capture.ts'
import { rebuild } from '../src/rebuild.ts'
import { eventsOf, testHome } from './corpus/home.ts'
import { dump } from './dump.ts'
import { turnRecords } from './learn-home.ts'
import { claudeSession, lines, type Place, place, recollect, sessionName } from './program.ts'

const path = (index: number) => `.claude/projects/-a/${sessionName(index)}.jsonl`
let at: Place
afterEach(() => at.remove())

describe('rebuild of a store of an earlier version', () => {
  it('removes secrets that its rules had missed', async () => {
    at = place()
    const home = testHome()
    const token = `ghp_${'a1B2'.repeat(9)}`
    const says = () => `use ${token} please`
    home.write(path(1), lines(claudeSession(sessionName(1), 2, { says })))
    const app = createApp({ machine: home.machine })
    const ledger = app.ledger()
    const uid = `claude-code:${sessionName(1)}`
    try {
      const missing = { redact: (texts: readonly string[]) => ({ texts: [...texts], counts: {} }), priceOf: () => null }
      await capture({ ...app.context(ledger), loadTools: async () => missing })
      expect(eventsOf(ledger, uid)[0]!.text).toBe(`use ${token} please`)
      expect(await rebuild(app, ledger, () => {})).toMatchObject({ redacted: 1 })
      expect(eventsOf(ledger, uid)[0]!.text).toBe('use [secret: github-token] please')
      expect(await rebuild(app, ledger, () => {})).toMatchObject({ redacted: 0 })
    } finally {
      ledger.close()
      home.remove()
    }
  })
})

describe('rebuild', () => {
  it('reproduces digests, index, prices and projects', () => {
    at = place()
    cpSync(join(import.meta.dirname, '..', 'demo', 'home'), at.home, { recursive: true })
    recollect(at, 'sweep')
    const before = dump(at.store)
    expect(recollect(at, 'rebuild').status).toBe(0)
    expect(dump(at.store)).toEqual(before)
  })

  it('finds no secrets in the text of events that capture found none in', () => {
    const listing =
      '160000 4ede622bd6b590ced6ead3d09cc087aba975b3b1 0\tnested\n100644 d8649da39ddf7910d29982e2f19cd9c0ff5ffe96 0\troot.txt\n'
    const list = {
      tool: 'Bash',
      input: { command: 'git ls-files -s' },
      result: `Original token count: 29\nOutput:\n${listing}`,
    }
    at = place({ [path(1)]: turnRecords([['What is staged?', list, 'Two files.']], 0, sessionName(1)) })
    recollect(at, 'sweep')
    expect(recollect(at, 'rebuild').out).not.toContain('Secrets removed')
    expect(recollect(at, 'restore', sessionName(1), '--out', join(at.home, 'restored.jsonl')).status).toBe(0)
    expect(readFileSync(join(at.home, 'restored.jsonl'), 'utf8')).toContain(JSON.stringify(listing).slice(1, -1))
  })

  it('lets the next sweep read a session without a body from its transcript', () => {
    at = place({ [path(1)]: claudeSession(sessionName(1), 2) })
    recollect(at, 'sweep')
    const before = dump(at.store)
    rmSync(join(at.store, 'bodies'), { recursive: true })
    expect(recollect(at, 'doctor').status).toBe(1)
    expect(recollect(at, 'rebuild', '--json').json().lostBodies).toHaveLength(1)
    recollect(at, 'sweep')
    expect(dump(at.store)).toEqual(before)
  })

  it('keeps digest and cost of a session without body and transcript', () => {
    at = place({ [path(1)]: claudeSession(sessionName(1), 2) })
    recollect(at, 'sweep')
    rmSync(join(at.store, 'bodies'), { recursive: true })
    rmSync(join(at.home, path(1)))
    recollect(at, 'rebuild')
    const [session] = recollect(at, 'sessions', '--json').json()
    expect(session).toMatchObject({ outcome: 'success', counts: { prompts: 2 }, evictedAt: expect.any(String) })
    expect(session.costUsd).toBeGreaterThan(0)
  })

  it('reports a damaged body and continues', () => {
    at = place({ [path(1)]: claudeSession(sessionName(1), 2), [path(2)]: claudeSession(sessionName(2), 2) })
    recollect(at, 'sweep')
    const [file] = readdirSync(join(at.store, 'bodies'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.includes(sessionName(1)),
    )
    writeFileSync(join(at.store, 'bodies', file!), 'x'.repeat(10_000))
    expect(recollect(at, 'rebuild')).toMatchObject({ status: 0 })
    expect(recollect(at, 'show', sessionName(1))).toMatchObject({ status: 3, err: expect.stringContaining('damaged') })
    expect(recollect(at, 'doctor').out).toContain(file)
    expect(recollect(at, 'show', sessionName(2)).status).toBe(0)
  })

  it('applies aliases and domains that were added later', () => {
    at = place({ [path(1)]: claudeSession(sessionName(1), 1, { cwd: '/home/dev/old-name' }) })
    recollect(at, 'sweep')
    writeFileSync(
      join(at.store, 'config.toml'),
      '[projects.aliases]\n"/home/dev/old-name" = "github.com/me/new"\n[projects.domains]\n"github.com/me/*" = "mine"',
    )
    recollect(at, 'rebuild')
    expect(recollect(at, 'sessions', '--json').json()[0]).toMatchObject({
      project: 'github.com/me/new',
      domain: 'mine',
    })
    // SPEC D.7: the domain is a filter.
    expect(recollect(at, 'sessions', '--domain', 'mine', '--json').json()).toHaveLength(1)
    const other = recollect(at, 'sessions', '--domain', 'min')
    expect(other).toMatchObject({ status: 2, err: expect.stringContaining('Did you mean mine?') })
  })
})

describe('capture of the same document in two homes', () => {
  it('keeps all events when one copy is shorter', () => {
    at = place()
    const demo = join(import.meta.dirname, '..', 'demo', 'home', '.gemini')
    cpSync(demo, join(at.home, '.gemini'), { recursive: true })
    recollect(at, 'sweep')
    const before = recollect(at, 'sessions', '--json').json()[0]
    cpSync(demo, join(at.home, 'old', '.gemini'), { recursive: true })
    for (const name of readdirSync(join(at.home, 'old'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.jsonl'),
    )) {
      const file = join(at.home, 'old', name)
      const lines = readLines(file)
      writeFileSync(file, `${lines.slice(0, Math.ceil(lines.length / 2)).join('\n')}\n`)
    }
    writeFileSync(join(at.store, 'config.toml'), '[sources]\ngemini-cli = ["~/old/.gemini"]')
    recollect(at, 'sweep')
    expect(recollect(at, 'sessions', '--json').json()).toEqual([{ ...before, digestedAt: expect.any(String) }])
  })
})

function readLines(path: string): string[] {
  return readFileSync(path, 'utf8').trimEnd().split('\n')
}
