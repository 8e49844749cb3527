// Runs `git log` in somebody's repository and reads what it prints as it comes. Seen with git 2.39. The repository's own
// configuration must not make git run anything or ask anybody: no pager, no signature check, no fetching of what is missing.
import type { ChildProcess } from 'node:child_process'
import { gitArgs, gitEnv } from '../core/run-program.ts'

export interface LoggedCommit {
  hash: string
  at: string
  message: string
  files: string[]
}

export interface GitLog {
  folder: string
  /** What of the history: `HEAD ^abc`, `abc --skip=10`, ... */
  range: string[]
  /** The newest of them; all where it is left out. */
  max?: number
  env: Readonly<Record<string, string | undefined>>
  timeoutMs: number
}

/** Throws where git is missing, fails or takes too long. */
export async function* gitLog({ folder, range, max, env, timeoutMs }: GitLog): AsyncGenerator<LoggedCommit> {
  const child = startGit(
    folder,
    ['log', ...form, ...(max === undefined ? [] : [`--max-count=${max}`]), ...range, '--'],
    env,
  )
  const late = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  let left = ''
  try {
    for await (const piece of child.stdout!.setEncoding('utf8')) {
      const records = (left + piece).split(start)
      left = records.pop()!
      for (const record of records) yield* parse(record)
    }
    await ended(child)
    yield* parse(left)
  } finally {
    clearTimeout(late)
    child.kill('SIGKILL')
  }
}

/** The commit that HEAD is at; undefined in a repository without commits, or where there is none. */
export async function gitHead(folder: string, env: GitLog['env']): Promise<string | undefined> {
  const child = startGit(folder, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], env)
  let out = ''
  for await (const piece of child.stdout!.setEncoding('utf8')) out += piece
  return /^[0-9a-f]{40,64}$/.exec(out.trim())?.[0]
}

const start = '\x01'
const form = [
  '-z',
  '--name-only',
  '--no-renames',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-show-signature',
  '--no-notes',
  '--no-mailmap',
  '--format=%x01%H%x02%aI%x02%B%x03',
]

function startGit(folder: string, args: string[], env: GitLog['env']): ChildProcess {
  const { spawn } = process.getBuiltinModule('node:child_process')
  const shown = ['i18n.logOutputEncoding=UTF-8', 'log.showRoot=true']
  const child = spawn('git', [...gitArgs(folder, shown), ...args], {
    env: gitEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  child.on('error', () => {}) // its exit code tells
  let complaint = ''
  child.stderr!.setEncoding('utf8').on('data', (piece: string) => {
    complaint = (complaint + piece).slice(0, 2000)
    complaints.set(child, complaint)
  })
  return child
}

const complaints = new WeakMap<ChildProcess, string>()

async function ended(child: ChildProcess): Promise<void> {
  const code =
    child.exitCode ??
    child.signalCode ??
    (await new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal))))
  if (code !== 0) throw new Error(`git log ended with ${code}: ${complaints.get(child)?.trim() || 'no reason given'}`)
}

/** What is no record is the end of a message that has our mark in it: the rest of that message is lost, not the next commit. */
function* parse(record: string): Generator<LoggedCommit> {
  const found = /^([0-9a-f]{40,64})\x02([^\x02]*)\x02([\s\S]*?)\x03([\s\S]*)$/.exec(record)
  if (!found) return
  const [, hash, at, message, files] = found
  yield {
    hash: hash!,
    at: at!,
    message: message!.trim(),
    files: files!
      .split('\0')
      .map((file) => file.replace(/^\n/, ''))
      .filter((file) => file !== ''),
  }
}
