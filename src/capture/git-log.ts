// Runs `git log` in a user's repository and parses its output as a stream (seen with git 2.39). The
// options keep the repository's configuration from running programs: no pager, no signature check,
// no lazy fetch.
import type { ChildProcess } from 'node:child_process'
import { gitArgs, gitEnv } from '../core/shell/run-program.ts'

export interface LoggedCommit {
  hash: string
  at: string
  message: string
  files: string[]
}

export interface GitLogQuery {
  folder: string
  /** Revisions and range options: `HEAD ^abc`, `abc --skip=10`. */
  range: string[]
  /** All commits of the range if omitted. */
  max?: number
  env: Readonly<Record<string, string | undefined>>
  timeoutMs: number
}

/** Throws if git is missing, fails or exceeds the timeout. */
export async function* gitLog({ folder, range, max, env, timeoutMs }: GitLogQuery): AsyncGenerator<LoggedCommit> {
  const child = startGit(
    folder,
    ['log', ...logOptions, ...(max === undefined ? [] : [`--max-count=${max}`]), ...range, '--'],
    env,
  )
  const late = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  let left = ''
  try {
    for await (const piece of child.stdout!.setEncoding('utf8')) {
      const records = (left + piece).split(recordMark)
      left = records.pop()!
      for (const record of records) yield* parseRecord(record)
    }
    await waitForExit(child)
    yield* parseRecord(left)
  } finally {
    clearTimeout(late)
    child.kill('SIGKILL')
  }
}

/** Undefined in a folder without a repository or a repository without commits. */
export async function gitHead(folder: string, env: GitLogQuery['env']): Promise<string | undefined> {
  const child = startGit(folder, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], env)
  let out = ''
  for await (const piece of child.stdout!.setEncoding('utf8')) out += piece
  return /^[0-9a-f]{40,64}$/.exec(out.trim())?.[0]
}

const recordMark = '\x01'
const logOptions = [
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

function startGit(folder: string, args: string[], env: GitLogQuery['env']): ChildProcess {
  const { spawn } = process.getBuiltinModule('node:child_process')
  const shown = ['i18n.logOutputEncoding=UTF-8', 'log.showRoot=true']
  const child = spawn('git', [...gitArgs(folder, shown), ...args], {
    env: gitEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  child.on('error', () => {}) // reported by its exit code
  let complaint = ''
  child.stderr!.setEncoding('utf8').on('data', (piece: string) => {
    complaint = (complaint + piece).slice(0, 2000)
    complaints.set(child, complaint)
  })
  closings.set(child, new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal))))
  return child
}

const complaints = new WeakMap<ChildProcess, string>()
/** The exit code is known before the last of the error output has arrived. */
const closings = new WeakMap<ChildProcess, Promise<unknown>>()

async function waitForExit(child: ChildProcess): Promise<void> {
  const code = await closings.get(child)
  if (code !== 0) throw new Error(`git log ended with ${code}: ${complaints.get(child)?.trim() || 'no reason given'}`)
}

/**
 * A commit message may contain our mark; then the rest of that message is dropped, but not the next
 * commit.
 */
function* parseRecord(record: string): Generator<LoggedCommit> {
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
