import { appendFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Agent, LogReader, LogTranscript } from '../src/agents/agent.ts'
import { claudeFamily } from '../src/agents/claude-code/agent.ts'
import { type App, createApp } from '../src/app.ts'
import { capture } from '../src/capture/capture.ts'
import { storeChecks } from '../src/doctor/store.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { listProblems } from '../src/store/sessions/transcripts.ts'
import { type TestHome, testHome } from './corpus/home.ts'
import { claudeSession, lines, recollect, sessionName } from './program.ts'

let home: TestHome
let app: App
let ledger: Ledger
beforeEach(() => {
  home = testHome()
  app = createApp({ machine: home.machine })
  ledger = app.ledger()
})
afterEach(() => {
  ledger.close()
  home.remove()
})

const transcript = (index: number, turns = 2) =>
  home.write(`.claude/projects/-a/${sessionName(index)}.jsonl`, lines(claudeSession(sessionName(index), turns)))

/** Claude Code with a reader that does something else when it comes to a record with this text. */
function claudeThat(text: string, does: (path: string) => void): Agent {
  const open = (log: LogTranscript): LogTranscript['open'] => {
    return (out, state): LogReader => {
      const reader = log.open(out, state)
      let hasSeen = false
      return {
        record(record, offset) {
          hasSeen ||= JSON.stringify(record).includes(text)
          reader.record(record, offset)
        },
        state() {
          if (hasSeen) does(log.path)
          return reader.state()
        },
      }
    }
  }
  const claudeCode = claudeFamily[0]!
  return {
    ...claudeCode,
    *find(root) {
      for (const one of claudeCode.find(root)) yield one.shape === 'log' ? { ...one, open: open(one) } : one
    },
  }
}

const overflow = (): number => overflow() + 1

describe('capture', () => {
  it('sets a transcript aside whose reader overflows the stack, until it changes', async () => {
    const bad = transcript(2)
    transcript(1)
    transcript(3)
    const context = { ...app.context(ledger), agents: [claudeThat('question 1 of 00000002', overflow)] }
    const reason = 'Maximum call stack size exceeded'
    const first = await capture(context)
    const offset = Buffer.byteLength(lines(claudeSession(sessionName(2), 2).slice(0, -1)))
    expect(first).toMatchObject({ ingested: 2, events: 16, failed: [{ path: bad, offset, reason }] })
    expect(storeChecks.unreadable!(app, ledger)).toEqual({
      name: 'unreadable',
      ok: false,
      detail: `1 transcript set aside\n${bad}: byte ${offset}: ${reason}`,
      fix: 'They are read when they change. To try now: recollect sweep --full',
    })
    const at = { root: home.path, home: home.path, store: join(home.path, '.recollect'), env: {}, remove() {} }
    expect(recollect(at, 'status').out.replace(/\s+/g, ' ')).toContain(`Set aside: ${bad} byte ${offset}: ${reason} `)
    expect(recollect(at, 'status').out).toContain('To try now: recollect sweep --full')
    expect(recollect(at, 'status', '--json').json().attention.setAside).toMatchObject([{ path: bad }])
    expect(listProblems(ledger)).toMatchObject([{ path: bad, offset: -1, reason: `byte ${offset}: ${reason}` }])
    expect(await capture(context)).toMatchObject({ ingested: 0, unchanged: 3, failed: [] })
    expect(await capture(context, { isFull: true })).toMatchObject({ ingested: 2, failed: [{ path: bad }] })

    appendFileSync(bad, lines(claudeSession(sessionName(2), 3).slice(8)))
    expect(await capture(app.context(ledger))).toMatchObject({ ingested: 1, events: 12, failed: [] })
    expect(listProblems(ledger)).toEqual([])
  })

  it('reports a transcript that cannot be prepared, and captures the others of its batch', async () => {
    const bad = transcript(2)
    transcript(1)
    transcript(3)
    const context = app.context(ledger)
    const loadTools: typeof context.loadTools = async () => {
      const tools = await context.loadTools()
      return {
        ...tools,
        redact(texts) {
          if (texts.some((text) => text.includes('question 0 of 00000002'))) overflow()
          return tools.redact(texts)
        },
      }
    }
    expect(await capture({ ...context, loadTools })).toMatchObject({ events: 16, failed: [{ path: bad, offset: 0 }] })
  })

  it('tries a transcript again that the operating system refuses', async () => {
    const bad = transcript(1)
    const refuse = () => {
      throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' })
    }
    const context = { ...app.context(ledger), agents: [claudeThat('question 1', refuse)] }
    expect(await capture(context)).toMatchObject({ failed: [{ path: bad }] })
    expect(await capture(context)).toMatchObject({ failed: [{ path: bad }] })
    expect(await capture(app.context(ledger))).toMatchObject({ ingested: 1, failed: [] })
  })

  it.each([
    ['truncated', (path: string) => truncateSync(path, 700)],
    ['deleted', (path: string) => rmSync(path, { force: true })],
  ])('goes on when a transcript is %s while it is read', async (_, change) => {
    const bad = transcript(1)
    writeFileSync(bad, lines(claudeSession(sessionName(1), 2000, { padding: 100 })))
    transcript(2)
    const context = { ...app.context(ledger), agents: [claudeThat('question 0', change)] }
    expect(await capture(context)).toMatchObject({ failed: [] })
    expect(home.events(`claude-code:${sessionName(2)}`)).toHaveLength(8)
    await capture(app.context(ledger))
    expect(home.events(`claude-code:${sessionName(2)}`)).toHaveLength(8)
  })

  it('keeps the rest of a record whose tool input is nested 2,000 deep', async () => {
    const path = transcript(1)
    const deep = `${'[{"a":'.repeat(1000)}"x"${'}]'.repeat(1000)}`
    const record = JSON.stringify({
      type: 'assistant',
      uuid: 'deep',
      sessionId: sessionName(1),
      message: {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'call', name: 'Deploy', input: { to: 'west', plan: '@' } }],
      },
    })
    appendFileSync(path, `${record.replace('"@"', deep)}\n`)
    const report = await capture(app.context(ledger))
    expect(report.skipped).toMatchObject([{ path, reason: 'parts nested deeper than 200 levels were left out' }])
    const call = home.events(`claude-code:${sessionName(1)}`).find(({ tool }) => tool === 'Deploy')
    expect(call).toMatchObject({ input: { to: 'west' } })
    expect(JSON.stringify(call)).toContain('[nested too deep]')
  })

  it('forgets problems of transcripts that are gone, also when nothing else has changed', async () => {
    const path = transcript(1)
    appendFileSync(path, '{"type":\n')
    await capture(app.context(ledger))
    expect(listProblems(ledger)).toHaveLength(1)
    rmSync(path)
    await capture(app.context(ledger))
    expect(listProblems(ledger)).toEqual([])
  })
})
