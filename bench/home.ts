// Creates homes to measure on: public transcripts when available, else generated ones. Every copy
// gets its own ids, so that none is taken for a fork.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

export const corpus = join(import.meta.dirname, '..', '..', 'shared', 'corpus')

export interface BenchHome {
  home: string
  files: string[]
  bytes: number
  source: string
  remove(): void
}

export function makeHome(copies: number): BenchHome {
  const home = mkdtempSync(join(tmpdir(), 'recollect-bench-'))
  const isReal = existsSync(corpus)
  if (isReal) for (let copy = 0; copy < copies; copy++) layOut(home, copy)
  else writeMadeUp(home, copies * 40)
  const files = filesBelow(home)
  return {
    home,
    files,
    bytes: files.reduce((sum, path) => sum + statSync(path).size, 0),
    source: isReal ? `public transcripts, ${copies} copies` : 'made-up transcripts',
    remove: () => rmSync(home, { recursive: true, force: true }),
  }
}

/** All public transcripts of Claude Code and Codex, broken ones included; undefined where they are absent. */
export function corpusHome(): Pick<BenchHome, 'home' | 'files' | 'remove'> | undefined {
  if (!existsSync(corpus)) return undefined
  const home = mkdtempSync(join(tmpdir(), 'recollect-bench-'))
  execFileSync(process.execPath, [join(corpus, 'lay-out.mjs'), '--home', home], { stdio: 'ignore' })
  const files = filesBelow(home).filter((path) => path.endsWith('.jsonl'))
  return { home, files, remove: () => rmSync(home, { recursive: true, force: true }) }
}

/** Only real transcripts; broken ones are for tests. */
export function layOut(home: string, copy: number): void {
  for (const agent of ['claude-code', 'codex']) {
    for (const path of filesBelow(join(corpus, agent)).filter(
      (name) => name.endsWith('.jsonl') && !isEarlyStep(name),
    )) {
      const text = ownIds(readFileSync(path, 'latin1'), copy)
      const session = /"(?:sessionId|id)":"([0-9a-f]{8}-[0-9a-f-]{27})"/.exec(text)?.[1]
      if (!session) continue
      const to =
        agent === 'codex'
          ? join(home, '.codex/sessions/2026/07/01', `rollout-2026-07-01T00-00-00-${session}.jsonl`)
          : join(home, '.claude/projects', `-bench-${basename(dirname(path))}`, `${session}.jsonl`)
      mkdirSync(dirname(to), { recursive: true })
      writeFileSync(to, text, 'latin1')
    }
  }
}

/** Only the last of several recorded sizes of a session counts. */
function isEarlyStep(path: string): boolean {
  if (!path.includes('/growth/')) return false
  return readdirSync(dirname(path)).sort().at(-1) !== basename(path)
}

function ownIds(text: string, copy: number): string {
  if (copy === 0) return text
  return text
    .replace(
      /\b([0-9a-f]{8})(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b/g,
      (_, head: string, rest: string) => {
        return ((Number.parseInt(head, 16) + copy * 0x9e3779b1) >>> 0).toString(16).padStart(8, '0') + rest
      },
    )
    .replace(/"id":"msg_/g, `"id":"msg_${copy}x`)
}

function writeMadeUp(home: string, sessions: number): void {
  for (let index = 0; index < sessions; index++) {
    const session = `${index.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
    const folder = join(home, '.claude/projects/-bench')
    mkdirSync(folder, { recursive: true })
    const lines = Array.from({ length: 400 }, (_, turn) => JSON.stringify(madeUpRecord(session, turn)))
    writeFileSync(join(folder, `${session}.jsonl`), `${lines.join('\n')}\n`)
  }
}

function madeUpRecord(sessionId: string, turn: number): unknown {
  const isPrompt = turn % 10 === 0
  const words = Array.from({ length: 120 }, (_, word) => `word${(turn * 31 + word * 7) % 5000}`).join(' ')
  const content = isPrompt ? `please look at ${words}` : [{ type: 'text', text: words }]
  return {
    type: isPrompt ? 'user' : 'assistant',
    uuid: `${sessionId}-${turn}`,
    timestamp: new Date(Date.UTC(2026, 8, 1) + turn * 1000).toISOString(),
    sessionId,
    cwd: '/home/dev/app',
    version: '2.1.219',
    message: {
      id: `msg_${sessionId}_${turn}`,
      role: isPrompt ? 'user' : 'assistant',
      model: 'claude-opus-4-6',
      content,
    },
  }
}

export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
