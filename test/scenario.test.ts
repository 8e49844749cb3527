// Six weeks of sessions, from transcripts to what an agent is told, without and with a model.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { composeBrief } from '../src/brief/brief.ts'
import { fixedClock } from '../src/core/clock.ts'
import type { Memory } from '../src/memory/memory.ts'
import type { ModelQuestion, ModelResponse } from '../src/models/context.ts'
import { listCandidates, listMemories, memoryById } from '../src/store/memories/memories.ts'
import { sweep } from '../src/sweep.ts'
import { lines, sessionName } from './program.ts'
import { type ScenarioSession, scenario } from './scenario/sessions.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'recollect-scenario-'))
  for (const [index, session] of scenario.entries()) {
    const path = join(home, transcriptPath(session, index))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, lines(session.agent === 'codex' ? codexRecords(session, index) : claudeRecords(session, index)))
  }
})
afterEach(() => rmSync(home, { recursive: true }))

const timeOf = ({ day }: ScenarioSession, step: number) =>
  new Date(Date.UTC(2026, 7, 1 + day, 9) + step * 60_000).toISOString()
const folderOf = ({ project }: ScenarioSession) => join(home, project)

function transcriptPath(session: ScenarioSession, index: number): string {
  if (session.agent === 'codex')
    return `.codex/sessions/2026/08/01/rollout-2026-08-01T00-00-00-${sessionName(index)}.jsonl`
  return `.claude/projects/-home-${session.project}/${sessionName(index)}.jsonl`
}

function claudeRecords(session: ScenarioSession, index: number): object[] {
  const base = { sessionId: sessionName(index), cwd: folderOf(session), version: '2.1.219', isSidechain: false }
  const at = (step: number) => ({ ...base, uuid: `u${index}-${step}`, timestamp: timeOf(session, step) })
  return session.talk.flatMap((text, step): object[] => {
    if (step % 2 === 0) return [{ ...at(step), type: 'user', message: { role: 'user', content: text } }]
    const denied = /^denied: (.*)$/.exec(text)?.[1]
    const block = denied
      ? { type: 'tool_use', id: `c${index}`, name: 'Bash', input: { command: 'git push --force' } }
      : { type: 'text', text }
    const reply = { ...at(step), type: 'assistant', message: { role: 'assistant', content: [block] } }
    if (!denied) return [reply]
    const said = `The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n${denied}`
    const content = [{ type: 'tool_result', tool_use_id: `c${index}`, is_error: true, content: said }]
    return [
      reply,
      { ...at(step + 0.5), type: 'user', toolUseResult: 'User rejected tool use', message: { role: 'user', content } },
    ]
  })
}

function codexRecords(session: ScenarioSession, index: number): object[] {
  const record = (step: number, type: string, payload: object) => ({ timestamp: timeOf(session, step), type, payload })
  const message = (role: string, type: string, text: string) => ({ type: 'message', role, content: [{ type, text }] })
  return [
    record(0, 'session_meta', {
      id: sessionName(index),
      cwd: folderOf(session),
      originator: 'codex-tui',
      cli_version: '0.142.4',
    }),
    ...session.talk.flatMap((text, step) =>
      step % 2 === 0
        ? [
            record(step, 'event_msg', { type: 'user_message', message: text }),
            record(step, 'response_item', message('user', 'input_text', text)),
          ]
        : [record(step, 'response_item', message('assistant', 'output_text', text))],
    ),
  ]
}

interface EndState {
  kept: Memory[]
  candidates: Memory[]
  inbox: Memory[]
  all: Memory[]
  questions: ModelQuestion<unknown>[]
  briefs: Record<string, string>
}

async function run(order: string): Promise<EndState> {
  const store = join(home, 'store')
  mkdirSync(store, { recursive: true })
  writeFileSync(
    join(store, 'config.toml'),
    `[learn]\nfresh_days = 90\nconsolidate = false\n[models]\norder = ${order}\n`,
  )
  const machine = { home, env: { RECOLLECT_HOME: store, PATH: process.env.PATH ?? '' }, platform: 'linux' as const }
  const app = createApp({ machine, clock: fixedClock('2026-09-10T12:00:00Z') })
  const questions: ModelQuestion<unknown>[] = []
  const ask = async <T>(question: ModelQuestion<T>): Promise<ModelResponse<T>> => {
    if (question.purpose !== 'memories') return { kind: 'unavailable', reasons: [] }
    questions.push(question)
    const value = question.schema.parse({ memories: answerTo(question) })
    return { kind: 'answered', value, provider: 'ollama', model: 'scripted', costUsd: 0 }
  }
  await sweep({ ...app, context: (ledger) => ({ ...app.context(ledger), ask }) })
  const ledger = app.ledger()
  try {
    const all = listMemories(ledger)
    const briefs = [...new Set(all.flatMap(({ project }) => project ?? []))].map((project) => [
      project.split('/').at(-1)!,
      composeBrief(app.briefContext(ledger), project)?.text ?? '',
    ])
    return {
      kept: listMemories(ledger, { state: 'kept', isCurrent: true }).map((one) => memoryById(ledger, one.id)!),
      candidates: listCandidates(ledger),
      inbox: listMemories(ledger, { state: 'inbox' }),
      ...{ all, questions, briefs: Object.fromEntries(briefs) },
    }
  } finally {
    ledger.close()
  }
}

/** The answer for the session of a question; `supersedes` names a memory by its words. */
function answerTo({ session, text }: ModelQuestion<unknown>): object[] {
  const index = scenario.findIndex((_, place) => session!.endsWith(sessionName(place)))
  return (scenario[index]!.judged ?? []).map((memory) => {
    const words = 'supersedes' in memory ? String(memory.supersedes) : undefined
    const line = words && text.split('\n').find((one) => one.startsWith('m-') && one.includes(words))
    return { ...memory, supersedes: line?.split(' ')[0] ?? null }
  })
}

const textsOf = (memories: readonly Memory[]) => memories.map(({ text }) => text)
const secret = 'sk-ant-api03'

/** Every file of the store, as bytes. */
function storedBytes(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}

describe('six weeks of sessions', () => {
  it('without a model: candidates for a person, and only what was asked for is a memory', async () => {
    const { kept, candidates, briefs, questions } = await run('["heuristic"]')
    expect(questions).toEqual([])
    expect(kept.map(({ text, because }) => [because, text])).toEqual([
      ['person', 'The read replica of region 1 is db-r1.internal, port 5001.'],
      ['person', 'The site is deployed by the job "publish" on every tag.'],
    ])
    const found = textsOf(candidates).join('\n')
    for (const words of [
      'Always use pnpm',
      'from SQLite to PostgreSQL',
      'never force push to main',
      'Commit-Nachrichten immer auf Englisch',
      '必ずテストを先に書いて',
      'Never deploy on Fridays',
    ])
      expect(found).toContain(words)
    for (const words of [
      'SQLite instead of Redis',
      'squash commits',
      'default exports',
      'mutate props',
      'Never log request bodies',
      'spinner',
      'OK',
    ])
      expect(found).not.toContain(words)
    expect(candidates.every(({ project }) => project !== null)).toBe(true)
    // Told apart from rules, at most three, word for word.
    expect(briefs.shop).not.toMatch(/^## (?:Rules|Decisions)/m)
    const [, quoted = ''] = briefs.shop!.split('## Said earlier, not reviewed')
    expect(quoted.match(/\[m-\w+\]$/gm)!.length).toBeLessThanOrEqual(3)
    expect(storedBytes(join(home, 'store'))).not.toContain(secret)
  })

  it('with a model: what it kept, merged and superseded, and nothing else', async () => {
    const { kept, candidates, inbox, all, questions, briefs } = await run('["ollama", "heuristic"]')
    // Each session once; the health check is not asked about.
    expect(new Set(questions.map(({ session }) => session)).size).toBe(questions.length)
    expect(questions.length).toBeLessThan(scenario.length)
    const judged = scenario.flatMap((session) => session.judged ?? []) as { text: string }[]
    const superseded = ['The cart is stored in SQLite', 'is 30 seconds.', 'Never deploy the shop on Fridays.']
    const expected = new Set(
      judged.map(({ text }) => text).filter((text) => !superseded.some((words) => text.includes(words))),
    )
    expect(textsOf(kept).sort()).toEqual([...expected].sort())
    expect([candidates, inbox]).toEqual([[], []])
    const pnpm = kept.find(({ text }) => text.includes('pnpm'))!
    expect(pnpm.counts.said).toBe(2)
    expect(new Set(pnpm.evidence.map(({ session }) => session?.split(':')[0]))).toEqual(
      new Set(['claude-code', 'codex']),
    )
    for (const words of superseded) {
      const old = all.find(({ text }) => text.includes(words))!
      expect(old.supersededBy).not.toBeNull()
    }
    expect(kept.filter(({ project }) => project === null).map(({ kind }) => kind)).toEqual(['preference'])
    expect(kept.filter(({ because }) => because !== 'model').map(({ because }) => because)).toEqual([
      'person',
      'person',
    ])
    expect(briefs.shop).toContain('Deploying the shop on Fridays is allowed')
    const told = briefs.shop!.slice(briefs.shop!.indexOf('## Rules'))
    expect(told).toContain('60 seconds')
    expect(told).not.toMatch(/30 seconds|stored in SQLite|Said earlier/)
    const sent = questions.map(({ system, text }) => system + text).join('\n')
    expect(sent).not.toContain(secret)
    expect(storedBytes(join(home, 'store'))).not.toContain(secret)
  })
})
