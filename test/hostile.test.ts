// One bad transcript never stops the rest: the files of every agent are made hostile in one way after another, beside a
// good session. The good one is captured and learned from, its brief is written, and what was wrong is reported by file.
import { spawnSync } from 'node:child_process'
import { appendFileSync, readdirSync, readFileSync, truncateSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { agents } from '../src/agents/registry.ts'
import { listCandidates } from '../src/store/memories/memories.ts'
import { copyFixture, filesIn, fixtureEnv, type TestHome, testHome } from './corpus/home.ts'
import { type HostileCase, hostileCases } from './corpus/hostile.ts'
import { claudeSession, lines, place, sessionName } from './program.ts'
import { isProof, sample } from './proof.ts'

const good = sessionName(7)
const rule = 'No, never use npm here, always use pnpm, because the lockfile is pnpm-lock.yaml.'

/** What was reported, by case: printed in the proof. */
const seen: string[] = []
afterAll(() => {
  if (isProof) console.log(seen.join('\n'))
})

describe('one bad transcript never stops the rest', () => {
  it.each(sample(hostileCases, 3).map((one) => [one.name, one] as const))('%s', async (_, hostile) => {
    const home = testHome(Object.assign({}, ...agents.map(({ id }) => fixtureEnv(id))))
    const ends: (() => void)[] = []
    try {
      for (const { id } of agents) copyFixture(id, home)
      const files = filesIn(home.path).filter((_, index) => !hostile.isLarge || index % 8 === 0)
      for (const path of sample(files, 15)) applyTo(path, hostile, ends)
      home.write(
        `.claude/projects/-home-dev-good/${good}.jsonl`,
        lines(claudeSession(good, 3, { cwd: '/home/dev/good', says: (turn) => (turn === 1 ? rule : undefined) })),
      )
      const report = await home.sweep()
      expect(report.failedStages).toEqual([])
      expect(home.events(`claude-code:${good}`)).toHaveLength(12)
      expect(statements(home)).toContainEqual(expect.stringMatching(/pnpm/))
      expect(briefs(home)).toContain(`question 0 of ${good}`)
      expect(({} as Record<string, unknown>).polluted).toBeUndefined()
      note(home, hostile, report)

      const again = await home.sweep()
      expect(again.failedStages).toEqual([])
      expect(again.events).toBe(0)
      expect(again.failed).toEqual(hostile.isRetried ? report.failed : [])
    } finally {
      for (const end of ends) end()
      home.remove()
    }
  })
})

describe.runIf(isProof)('a sparse line of 6 GB', () => {
  it('is skipped in bounded memory, and the lines around it are captured', () => {
    const at = place({ [`.claude/projects/-a/${good}.jsonl`]: claudeSession(good, 1) })
    try {
      const path = join(at.home, `.claude/projects/-a/${good}.jsonl`)
      truncateSync(path, 6e9)
      appendFileSync(path, `\n${lines(claudeSession(good, 2).slice(4))}`)
      const printPeak = 'process.on("exit", () => console.error(process.resourceUsage().maxRSS))'
      const program = join(import.meta.dirname, '..', 'dist', 'cli.js')
      const swept = spawnSync(
        process.execPath,
        ['--import', `data:text/javascript,${printPeak}`, program, 'sweep', '--json'],
        { env: { ...process.env, HOME: at.home, RECOLLECT_HOME: at.store }, encoding: 'utf8' },
      )
      const report = JSON.parse(swept.stdout) as { events: number; skipped: { reason: string }[] }
      expect(report).toMatchObject({
        events: 8,
        skipped: [{ reason: expect.stringMatching(/was skipped as too long$/) }],
      })
      // The reading thread prints it, too.
      expect(Math.max(...swept.stderr.trim().split('\n').map(Number))).toBeLessThan(900_000) // kB
    } finally {
      at.remove()
    }
  })
})

function applyTo(path: string, hostile: HostileCase, ends: (() => void)[]): void {
  const end = hostile.apply(path)
  if (end) ends.push(end)
}

function statements(home: TestHome): string[] {
  return home.look((ledger) => listCandidates(ledger).map(({ text }) => text))
}

function briefs(home: TestHome): string {
  const folder = join(home.path, '.recollect', 'briefs')
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
}

function note(home: TestHome, { name }: HostileCase, report: Awaited<ReturnType<TestHome['sweep']>>): void {
  const tally = new Map<string, number>()
  for (const { path, reason } of report.skipped) {
    const key = `${agentOf(home, path)}: ${reason.replaceAll(/\d+/g, 'N').replaceAll(home.path, '~')}`
    tally.set(key, (tally.get(key) ?? 0) + 1)
  }
  seen.push(`${name}: ${report.ingested} read, ${report.failed.length} failed, ${report.skipped.length} parts skipped`)
  for (const { path, offset, reason } of report.failed)
    seen.push(`  failed ${relative(home.path, path)} @${offset}: ${reason}`)
  for (const [key, count] of tally) seen.push(`  ${key} (${count})`)
}

function agentOf(home: TestHome, path: string): string {
  return home.found().find(({ transcript }) => transcript.path === path)?.agent.id ?? '?'
}
