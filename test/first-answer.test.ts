// A large first sweep answers from recent sessions while older ones are still to be read.
import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseQuery } from '../src/search/query.ts'
import { search } from '../src/search/search.ts'
import { unreadNotice, unreadTranscripts } from '../src/store/unread.ts'
import { type TestHome, testHome } from './corpus/home.ts'
import { claudeSession, lines, sessionName } from './program.ts'

let home: TestHome
beforeEach(() => {
  home = testHome()
  write(1, 'the pelican migration', 30)
  for (let index = 2; index < 12; index++) write(index, 'older work', index)
})
afterEach(() => home.remove())

/** Long enough that a batch holds no more than one of them. */
const padding = 30_000

function write(index: number, topic: string, day: number): void {
  const records = claudeSession(sessionName(index), 1, { says: () => topic, padding, cwd: join(home.path, 'app') })
  const path = home.write(`.claude/projects/-home-dev-app/${sessionName(index)}.jsonl`, lines(records))
  const time = Date.UTC(2026, 9, day) / 1000
  utimesSync(path, time, time)
}

const threadLimits = { minBytes: 1, cores: 1 }
const found = () =>
  home.look((ledger) =>
    search(ledger, parseQuery('pelican migration'), { nowMs: Date.UTC(2026, 10, 1), limit: 5 }).results.map(
      ({ session }) => session,
    ),
  )

describe('a large first sweep', () => {
  it('finds recent sessions and says what is missing before the rest is read', async () => {
    let early: { found: (string | null)[]; unread: number; briefs: string[] } | undefined
    await home.sweep({
      threadLimits,
      onRecent() {
        const briefs = join(home.path, '.recollect', 'briefs')
        early = {
          found: found(),
          unread: home.look((ledger) => unreadTranscripts(ledger)!.transcripts),
          briefs: existsSync(briefs) ? readdirSync(briefs).filter((name) => name.endsWith('.md')) : [],
        }
      },
    })
    expect(early?.found[0]).toBe(`claude-code:${sessionName(1)}`)
    expect(early?.unread).toBeGreaterThan(0)
    expect(early?.briefs).toHaveLength(1)
    expect(home.look(unreadNotice)).toBeUndefined()
    expect(home.sessions()).toHaveLength(11)
  })

  it('goes on saying it when it was stopped, until the next sweep has read the rest', async () => {
    const stopped = home.sweep({
      threadLimits,
      onRecent() {
        throw Object.assign(new Error('stopped'), { code: 'EIO' })
      },
    })
    await expect(stopped).rejects.toThrow('stopped')
    expect(home.look(unreadNotice)).toMatch(/^Still to be read: \d+ of 11 transcripts/)
    await home.sweep()
    expect(home.look(unreadNotice)).toBeUndefined()
    expect(home.sessions()).toHaveLength(11)
  })
})
