// A memory that is older than a day or in doubt says so, whatever shows it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { recallForPrompt } from '../src/brief/per-prompt.ts'
import { unknownSource } from '../src/mcp/call-source.ts'
import type { ToolCall } from '../src/mcp/tool-result.ts'
import { memoryList } from '../src/mcp/tools/memory-list.ts'
import { memoryExpand, memoryGet } from '../src/mcp/tools/memory-read.ts'
import { recallTool } from '../src/mcp/tools/recall.ts'
import { memorySearch } from '../src/mcp/tools/search.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { changeMemories } from '../src/store/memories/changes.ts'
import { claudeSession, type Place, place, recollect, sessionName } from './program.ts'
import { sampleMemory } from './sample-memory.ts'

const project = '/home/dev/app'
const doubtful = 'The beacon of the harbour is configured in beacon.ts.'
const fresh = 'The lantern of the pier is configured in lantern.ts.'

let at: Place
let app: App
let ledger: Ledger
beforeAll(() => {
  at = place({ [`.claude/projects/-home-dev-app/${sessionName(1)}.jsonl`]: claudeSession(sessionName(1), 2) })
  expect(recollect(at, 'sweep').status).toBe(0)
  app = createApp({ machine: { home: at.home, env: { RECOLLECT_HOME: at.store }, platform: 'linux', name: 'box' } })
  ledger = app.existingLedger()
  const ago = (days: number) => new Date(app.clock.nowMs() - days * 86_400_000).toISOString()
  const memories = [
    sampleMemory({ id: 'm-old', project, text: doubtful, at: ago(10.5), doubt: 'beacon.ts is gone' }),
    sampleMemory({ id: 'm-new', project, text: fresh, at: ago(0.2) }),
  ]
  ledger.transaction(() => changeMemories(ledger, { at: ago(0), kind: 'learned', about: 'a test' }, memories))
})
afterAll(() => {
  ledger.close()
  at.remove()
})

const run = (...args: string[]) => recollect(at, ...args).out.replace(/\s+/g, ' ')
const call = (): ToolCall => ({ app, ledger, clientProject: { kind: 'named', project }, source: unknownSource })
const search = { sort: 'relevance' as const, limit: 5 }

const doors: [string, (question: string, id: string) => string | Promise<string>][] = [
  ['search', (question) => run('search', question)],
  ['recall', (question) => run('recall', question, '--all')],
  ['memories', () => run('memories')],
  ['memories <id>', (_, id) => run('memories', id)],
  ['show <id>', (_, id) => run('show', id)],
  [
    'recall at a prompt',
    (question, id) => {
      const context = { ledger, nowMs: app.clock.nowMs(), zone: app.zone, rules: app.config.projects }
      return recallForPrompt(context, { session: `claude-code:${id}`, cwd: project, text: question })
    },
  ],
  ['memory_search', (query) => memorySearch(call(), { query, ...search })],
  ['memory_list', () => memoryList(call(), { state: 'kept', from: 0, limit: 10 })],
  ['memory_get', (_, id) => memoryGet(call(), { ids: [id] })],
  ['memory_expand', (_, id) => memoryExpand(call(), { id, around: 0 })],
  ['the tool recall', (question) => recallTool(call(), { question, budget: 800 })],
]

describe('age and doubt of a memory', () => {
  it.each(doors)('are shown by %s', async (_, door) => {
    const text = await door('where is the beacon of the harbour configured', 'm-old')
    expect(text).toContain(doubtful)
    expect(text).toContain('10 days ago')
    expect(text).toContain('doubtful: beacon.ts is gone')
  })

  it.each(doors.filter(([name]) => !['memories', 'memory_list', 'recall at a prompt'].includes(name)))(
    'are not shown by %s where there are none',
    async (_, door) => {
      const text = await door('where is the lantern of the pier configured', 'm-new')
      const about = text.slice(text.indexOf('m-new'), text.indexOf(fresh) + fresh.length)
      expect(about).toContain(fresh)
      expect(about).not.toMatch(/ ago|doubtful/)
    },
  )
})
