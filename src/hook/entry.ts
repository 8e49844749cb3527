// The hook for platforms without sh: does the same as hook.sh with Node's own modules only. Bundled
// by itself as hook.cjs; hook.json beside it holds what is generated into hook.sh. One table of
// cases tests both.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { BriefAnswer } from '../agents/agent.ts'
import { readTextOrEmpty } from '../core/files.ts'
import { promptMoment } from '../core/hook-command.ts'
import { findBrief } from './find-brief.ts'

export interface HookSettings {
  root: string
  cli: string
  /** Text before and after a brief, by `<agent>:<event>`. */
  answers: Record<string, BriefAnswer>
  /** `<agent>:<event>` at which the text for a summary is printed. */
  summaryEvents: string[]
  /** Agents by the variable that names them whichever hook they run. */
  variables: Record<string, string>
  /** The variable with the project's folder, by agent. */
  folderVariables: Record<string, string>
  /** Payload fields by the agent that sends them. */
  payloadFields: Record<string, string[]>
  /** The end of the folder of transcripts by the agent that names them. */
  transcriptFolders: Record<string, string>
  /** Marks of sessions that an agent started for itself. */
  internalVariables: string[]
  internalFolders: string[]
}

const fieldNames =
  'session_?[iI]d|conversation_?[iI]d|trajectory_id|transcript_?[pP]ath|cwd|hook_?[eE]vent_?[nN]ame|agent_id|calling_session_id|timestamp|is_background_agent|cursor_version'
const fieldValue = '(?:"(?:[^"\\\\]|\\\\.)*"|[a-z0-9.]+)'
const fieldPattern = new RegExp(
  `"(?:${fieldNames})"\\s*:\\s*${fieldValue}|"(?:source|reason|trigger)"\\s*:\\s*"[A-Za-z_-]{1,40}"`,
  'g',
)
const noBriefPattern =
  /"(?:agent_id|calling_session_id)"\s*:\s*"|"source"\s*:\s*"fork"|"is_background_agent"\s*:\s*true/
const resumePattern = /"source"\s*:\s*"resume"/
const continuesPattern = /"source"\s*:\s*"(?:resume|compact)"/
const maxWaitMs = 2000
const maxLength = 200_000
const staleMs = 120_000

// The one place that swallows every error: an agent must never see one of ours. The process ends by
// itself, because process.exit right after a large payload was seen to hang in Node 24.
process.on('uncaughtException', () => {})
main(process.argv[2] ?? '', process.argv[3] ?? '', process.argv[4] ?? '')
  .catch(() => {})
  .finally(() => process.stdin.destroy())

async function main(named: string, event: string, from: string): Promise<void> {
  const { env } = process
  if (env.RECOLLECT_INTERNAL || (from === 'plugin' && existsSync(join(__dirname, `${named}.direct`)))) return
  const settings = JSON.parse(readFileSync(join(__dirname, 'hook.json'), 'utf8')) as HookSettings
  if (isInternal(settings)) return
  const agent = Object.entries(settings.variables).find(([name]) => env[name])?.[1] ?? named
  if (event === promptMoment) {
    if (agent === named && !env.RECOLLECT_PROBE) answerPrompt(settings, agent)
    return
  }
  const fields = (await readPayload()).match(fieldPattern)?.join('\n') ?? ''
  const isOwn = agent === named // an agent that runs the hook of another one gets its answer from its own
  const answer = isOwn ? settings.answers[`${agent}:${event}`] : undefined
  if (answer && takesBrief(answer, fields) && !isForeign(settings, agent, fields) && !env.RECOLLECT_PROBE) {
    const folder = env[settings.folderVariables[agent] ?? ''] || process.cwd()
    const composed = continuesPattern.test(fields) ? composeBrief(settings, agent, folder, fields) : ''
    const text = composed || (findBrief(settings.root, folder) ?? findBrief(settings.root, realpathSync(folder)))
    if (text) await print(`${answer.before}${text}${answer.after}\n`)
  }
  if (isOwn && settings.summaryEvents.includes(`${agent}:${event}`) && takesKept(settings, agent, fields))
    await print(keptText(settings.root, agent, fields))
  writeToSpool(settings.root, `${agent}.${event}.${process.pid}.${process.ppid}`, fields)
  if (!env.RECOLLECT_PROBE) startWorker(settings)
}

function isInternal({ internalVariables, internalFolders }: HookSettings): boolean {
  const folders = process.cwd().split(/[\\/]/)
  return internalVariables.some((name) => process.env[name]) || internalFolders.some((name) => folders.includes(name))
}

/** The program itself answers; nothing is stored here. */
function answerPrompt({ root, cli }: HookSettings, agent: string): void {
  if (!statSync(cli, { throwIfNoEntry: false })) return
  spawnSync(process.execPath, [cli, 'recall', '--hook', agent], {
    stdio: ['inherit', 'inherit', 'ignore'],
    env: { ...process.env, RECOLLECT_HOME: root, NODE_OPTIONS: '' },
    timeout: maxWaitMs,
    windowsHide: true,
  })
}

function takesBrief({ onResume }: BriefAnswer, fields: string): boolean {
  return !noBriefPattern.test(fields) && (onResume === true || !resumePattern.test(fields))
}

function takesKept(settings: HookSettings, agent: string, fields: string): boolean {
  return !noBriefPattern.test(fields) && !isForeign(settings, agent, fields) && !process.env.RECOLLECT_PROBE
}

/** What the worker has prepared for the summary of this session. */
function keptText(root: string, agent: string, fields: string): string {
  const session = /^"session_id"\s*:\s*"([A-Za-z0-9_-]+)"$/m.exec(fields)?.[1]
  return session ? readTextOrEmpty(join(root, 'run', 'compaction', `${agent}.${session}.txt`)) : ''
}

/** The session itself is part of the prepared brief, so the program leaves it out. */
function composeBrief({ root, cli }: HookSettings, agent: string, cwd: string, fields: string): string {
  if (!statSync(cli, { throwIfNoEntry: false })) return ''
  const { stdout } = spawnSync(process.execPath, [cli, 'brief', '--hook', agent], {
    cwd,
    input: fields,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, RECOLLECT_HOME: root, NODE_OPTIONS: '' },
    timeout: maxWaitMs,
    windowsHide: true,
  })
  return stdout?.trim() ?? ''
}

/** Whether another agent runs this hook; it gets its brief from its own. */
function isForeign({ payloadFields, transcriptFolders }: HookSettings, agent: string, fields: string): boolean {
  const own = payloadFields[agent] ?? []
  const foreign = Object.values(payloadFields)
    .flat()
    .filter((name) => !own.includes(name))
  // Of a path on Windows, whose separators may be escaped.
  const path = (/^"transcript_?path".*$/im.exec(fields)?.[0] ?? '').replace(/\\+/g, '/')
  const isElsewhere = ([id, folder]: [string, string]) => id !== agent && path.includes(`/${folder}/`)
  return (
    foreign.some((name) => new RegExp(`^"${name}"`, 'm').test(fields)) ||
    Object.entries(transcriptFolders).some(isElsewhere)
  )
}

/**
 * The beginning of standard input, which has all fields; the rest is read so that the agent is not
 * blocked.
 */
async function readPayload(): Promise<string> {
  let text = ''
  const timer = setTimeout(() => process.stdin.destroy(), maxWaitMs)
  try {
    for await (const chunk of process.stdin.setEncoding('utf8')) if (text.length < maxLength) text += chunk
  } catch {
    // use what has arrived so far
  }
  clearTimeout(timer)
  return text
}

function print(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(text, () => resolve()))
}

function writeToSpool(root: string, name: string, fields: string): void {
  const spool = join(root, 'spool')
  mkdirSync(spool, { recursive: true, mode: 0o700 })
  let free = name
  while (statSync(join(spool, free), { throwIfNoEntry: false })) free += '.0'
  writeFileSync(join(spool, free), `${fields}\n.\n`, { mode: 0o600, flag: 'wx' }) // the dot marks it as complete
}

/**
 * The process that creates the file starts the worker; a stale file, or that of a dead process, is
 * taken over.
 */
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
