// Memories that Claude Code writes itself: recognised wherever the user keeps them, imported, and attributed to the
// person who said them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { fixedClock } from '../src/core/clock.ts'
import { importNative } from '../src/learn/bridge/import.ts'
import { listMemories } from '../src/store/memories/memories.ts'
import { readWorkLog } from '../src/store/work-log.ts'
import { sweep } from '../src/sweep.ts'
import { lines, sessionName } from './program.ts'

let home: string
let app: App
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'recollect-own-'))
  app = createApp({
    machine: { home, env: { RECOLLECT_HOME: join(home, 'store'), PATH: '' }, platform: 'linux' },
    clock: fixedClock('2026-09-01T12:00:00Z'),
  })
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const usual = () => join(home, '.claude/projects/-home-dev-app/memory')
const uid = `claude-code:${sessionName(0)}`

function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

/** A session in which the agent writes a memory file after a prompt. */
function remembers(prompt: string, path: string, text: string): void {
  put(path, `---\nname: note\ntype: project\n---\n${text}\n`)
  const base = { sessionId: sessionName(0), cwd: '/home/dev/app', version: '2.1.325', isSidechain: false }
  const at = (second: number) => `2026-09-01T10:00:0${second}.000Z`
  const input = { file_path: path, content: text }
  const answer = (uuid: string, second: number, block: object) => ({
    ...base,
    ...{ type: 'assistant', uuid, timestamp: at(second) },
    message: { id: uuid, role: 'assistant', model: 'claude-opus-4-6', content: [block] },
  })
  const records = [
    { ...base, type: 'user', uuid: 'u1', timestamp: at(0), message: { role: 'user', content: prompt } },
    answer('a1', 1, { type: 'tool_use', id: 'c1', name: 'Write', input }),
    {
      ...base,
      ...{ type: 'user', uuid: 'u2', timestamp: at(2) },
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'File created' }] },
      toolUseResult: { type: 'create', filePath: path, content: text, structuredPatch: [] },
    },
    answer('a2', 3, { type: 'text', text: 'I will remember that.' }),
  ]
  put(join(home, '.claude/projects/-home-dev-app', `${sessionName(0)}.jsonl`), lines(records))
}

async function learn() {
  await sweep(app)
  const ledger = app.ledger()
  try {
    const memories = listMemories(ledger).map(({ text, trust, project }) => ({ text, trust, project }))
    return { memories, log: readWorkLog(ledger) }
  } finally {
    ledger.close()
  }
}

it('SPEC C.4: autoMemoryDirectory of the user settings is a memory folder, and its files are imported', async () => {
  const path = join(home, 'notes', 'claude', 'deploys.md')
  put(join(home, '.claude/settings.json'), JSON.stringify({ autoMemoryDirectory: '~/notes/claude' }))
  remembers('Look at the deploy job.', path, 'Deploys go out on Tuesdays only.')
  const { memories, log } = await learn()
  expect(memories).toEqual([
    { text: 'Deploys go out on Tuesdays only.', trust: 'agent said', project: '/home/dev/app' },
  ])
  expect(log).toMatchObject([{ session: uid, what: 'skipped', detail: `the agent wrote ${path} itself` }])
})

it('SPEC C.4: import finds the files of autoMemoryDirectory', async () => {
  put(join(home, '.claude/settings.json'), JSON.stringify({ autoMemoryDirectory: join(home, 'notes') }))
  put(join(home, 'notes', 'deploys.md'), '---\nname: deploys\ntype: project\n---\nDeploys go out on Tuesdays only.\n')
  const ledger = app.ledger()
  const report = await importNative(app.context(ledger), { agent: 'claude-code' })
  expect(report.kept).toMatchObject([{ text: 'Deploys go out on Tuesdays only.', project: null }])
  ledger.close()
})

it.each([
  ['the home folder', '~'],
  ['the root', '/'],
  ['a relative folder', 'notes'],
])('SPEC C.4: %s as autoMemoryDirectory is ignored', async (_, folder) => {
  put(join(home, '.claude/settings.json'), JSON.stringify({ autoMemoryDirectory: folder }))
  put(join(home, 'notes', 'deploys.md'), 'Deploys go out on Tuesdays only.\n')
  const ledger = app.ledger()
  const report = await importNative(app.context(ledger), { agent: 'claude-code' })
  expect(report.files).toBe(0)
  ledger.close()
})

it.each([
  ['user said', 'Remember: deploys go out on Tuesdays only.'],
  ['user said', 'Please remember that our deploys only go out on Tuesdays, ok?'],
  ['agent said', 'When do we deploy?'],
  ['agent said', 'We never deploy on Tuesdays, do we?'],
])('SPEC C.4: what the agent wrote down is "%s" after "%s"', async (trust, prompt) => {
  remembers(prompt, join(usual(), 'deploys.md'), 'Deploys go out on Tuesdays only.')
  expect((await learn()).memories).toMatchObject([{ text: 'Deploys go out on Tuesdays only.', trust }])
})
