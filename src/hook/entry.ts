// The hook where there is no sh: what hook.sh does, in Node's own modules alone. Bundled by itself as hook.cjs and kept beside
// hook.json, which says what hook.sh has in its first lines. One table of cases tests both.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promptMoment } from '../core/hook-command.ts'
import { findBrief } from './find-brief.ts'

export interface HookSettings {
  root: string
  cli: string
  /** By `<agent>:<event>`, what stands before and after a brief. */
  answers: Record<string, { before: string; after: string }>
}

const names =
  'session_?[iI]d|conversation_id|transcript_?[pP]ath|cwd|hook_?[eE]vent_?[nN]ame|agent_id|calling_session_id|timestamp|is_background_agent|cursor_version'
const value = '(?:"(?:[^"\\\\]|\\\\.)*"|[a-z0-9.]+)'
const field = new RegExp(`"(?:${names})"\\s*:\\s*${value}|"(?:source|reason|trigger)"\\s*:\\s*"[A-Za-z_-]{1,40}"`, 'g')
const isLeftAlone =
  /"(?:agent_id|calling_session_id)"\s*:\s*"|"source"\s*:\s*"(?:resume|fork)"|"is_background_agent"\s*:\s*true/
const maxWaitMs = 2000
const maxLength = 200_000
const staleMs = 120_000

// The one place that swallows everything: an agent must never hear of us. It ends by having nothing left to do: process.exit
// right after a large payload was seen to hang in Node 24.
process.on('uncaughtException', () => {})
main(process.argv[2] ?? '', process.argv[3] ?? '', process.argv[4] ?? '')
  .catch(() => {})
  .finally(() => process.stdin.destroy())

async function main(named: string, event: string, from: string): Promise<void> {
  const { env } = process
  if (from === 'plugin' && existsSync(join(__dirname, `${named}.direct`))) return
  if (env.RECOLLECT_INTERNAL || env.CLAUDE_INVOKED_BY) return
  if (/[\\/]memories_v2(?:[\\/]|$)/.test(process.cwd())) return
  const agent = env.GROK_SESSION_ID ? 'grok' : named
  const settings = JSON.parse(readFileSync(join(__dirname, 'hook.json'), 'utf8')) as HookSettings
  if (event === promptMoment) {
    if (agent === named && !env.RECOLLECT_PROBE) answerPrompt(settings, agent)
    return
  }
  const fields = (await payload()).match(field)?.join('\n') ?? ''
  const answer = settings.answers[`${agent}:${event}`]
  if (answer && !isLeftAlone.test(fields) && !isForeign(agent, fields) && !env.RECOLLECT_PROBE) {
    const folder = agent === 'cursor' && env.CURSOR_PROJECT_DIR ? env.CURSOR_PROJECT_DIR : process.cwd()
    await printBrief(settings.root, folder, answer)
  }
  drop(settings.root, `${agent}.${event}.${process.pid}.${process.ppid}`, fields)
  if (!env.RECOLLECT_PROBE) startWorker(settings)
}

/** The program itself answers; nothing is kept here. */
function answerPrompt({ root, cli }: HookSettings, agent: string): void {
  if (!statSync(cli, { throwIfNoEntry: false })) return
  spawnSync(process.execPath, [cli, 'recall', '--hook', agent], {
    stdio: ['inherit', 'inherit', 'ignore'],
    env: { ...process.env, RECOLLECT_HOME: root, NODE_OPTIONS: '' },
    timeout: maxWaitMs,
    windowsHide: true,
  })
}

/** An agent that runs the hooks of another has its own. */
function isForeign(agent: string, fields: string): boolean {
  if (agent === 'cursor') return false
  return /^"cursor_version"/m.test(fields) || (agent !== 'copilot-cli' && /^"sessionId"/m.test(fields))
}

/** The beginning of standard input, which names everything; the rest is taken so that the agent can go on. */
async function payload(): Promise<string> {
  let text = ''
  const timer = setTimeout(() => process.stdin.destroy(), maxWaitMs)
  try {
    for await (const chunk of process.stdin.setEncoding('utf8')) if (text.length < maxLength) text += chunk
  } catch {
    // what came so far has to do
  }
  clearTimeout(timer)
  return text
}

async function printBrief(
  root: string,
  folder: string,
  { before, after }: { before: string; after: string },
): Promise<void> {
  const text = findBrief(root, folder) ?? findBrief(root, realpathSync(folder))
  if (text) await new Promise<void>((resolve) => process.stdout.write(`${before}${text}${after}\n`, () => resolve()))
}

function drop(root: string, name: string, fields: string): void {
  const spool = join(root, 'spool')
  mkdirSync(spool, { recursive: true, mode: 0o700 })
  let free = name
  while (statSync(join(spool, free), { throwIfNoEntry: false })) free += '.0'
  writeFileSync(join(spool, free), `${fields}\n.\n`, { mode: 0o600, flag: 'wx' }) // the dot says that it is whole
}

/** Who makes the file starts the worker; an old file, or one of a process that is gone, is taken over. */
function startWorker({ root, cli }: HookSettings): void {
  const running = join(root, 'run', 'worker')
  mkdirSync(dirname(running), { recursive: true, mode: 0o700 })
  if (!statSync(cli, { throwIfNoEntry: false })) return
  try {
    writeFileSync(running, '', { flag: 'wx', mode: 0o600 })
  } catch {
    const age = Date.now() - statSync(running).mtimeMs
    const pid = Number(readFileSync(running, 'utf8'))
    if ((!pid || isAlive(pid)) && age < staleMs) return
  }
  const child = spawn(process.execPath, [cli, 'work', '--json'], {
    cwd: root,
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
    env: { ...process.env, RECOLLECT_HOME: root, NODE_OPTIONS: '' },
  })
  child.unref()
  writeFileSync(running, String(child.pid ?? ''))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
