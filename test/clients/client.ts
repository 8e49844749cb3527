// One run of a real client: its own home, a clean environment, an end.
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Place, place } from '../program.ts'
import { waitFor } from '../wait-for.ts'
import type { Protocol } from './api.ts'
import { binary, type ClientName, folder } from './install-clients.ts'
import { endProcessesOf } from './processes.ts'

export interface Client {
  name: ClientName
  /** Its name in Recollect. */
  agent: string
  protocol: Protocol
  /** Where its hooks stand, below the home. */
  hooksFile: string
  /** Its own settings, below the home, as they are before anything runs. */
  settings(home: Home, url: string): Record<string, string>
  /** Paths below the home that link to a folder of the installed client. */
  links?: Record<string, string>
  env(home: Home, url: string): Record<string, string>
  args(prompt: string, options: RunOptions): string[]
}

export interface RunOptions {
  /** The session to go on with. */
  resume?: string
  /** Further arguments. */
  more?: string[]
}

/** A made-up user: a home with a project in it, and beside it Recollect's store. */
export interface Home extends Place {
  project: string
}

export interface Ran {
  status: number | null
  out: string
  err: string
  /** When the process was gone. */
  endedAtMs: number
}

export function makeHome(client: Client, url: string): Home {
  const made = place({ 'app/notes.txt': 'made up for a test\n', 'tmp/.keep': '' })
  const at = { ...made, project: join(made.home, 'app') }
  addSettings(client, at, url)
  for (const [path, target] of Object.entries(client.links ?? {})) {
    symlinkSync(join(folder(client.name), target), join(at.home, path))
  }
  return at
}

/** The user has this client too. */
export function addSettings(client: Client, at: Home, url: string): void {
  for (const [path, content] of Object.entries(client.settings(at, url))) {
    mkdirSync(dirname(join(at.home, path)), { recursive: true })
    writeFileSync(join(at.home, path), content)
  }
}

/** Clients leave daemons behind; they go first, or they write into what is being removed. */
export async function removeHome(at: Home): Promise<void> {
  await endProcessesOf(at)
  rmSync(at.root, { recursive: true, force: true, maxRetries: 5 })
}

export function runClient(
  client: Client,
  at: Home,
  url: string,
  prompt: string,
  options: RunOptions = {},
): Promise<Ran> {
  const child = startClient(client, at, url, client.args(prompt, options))
  let out = ''
  let err = ''
  let endedAtMs = 0
  child.stdout.setEncoding('utf8').on('data', (chunk) => (out += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk) => (err += chunk))
  child.on('exit', () => (endedAtMs = Date.now()))
  return new Promise((resolve, reject) => {
    // `close` waits for everyone who holds its output, so a hook that keeps it open is found here.
    const tooLong = setTimeout(() => {
      process.kill(-child.pid!, 'SIGKILL')
      reject(new Error(`${client.name} did not end within ${patienceMs / 1000} s\n${out}\n${err}`))
    }, patienceMs)
    child.on('error', reject)
    child.on('close', (status) => {
      clearTimeout(tooLong)
      resolve({ status, out, err, endedAtMs })
    })
  })
}

const patienceMs = 60_000

/** Kills the client and all of its processes as soon as the condition holds. */
export async function killClient(
  client: Client,
  at: Home,
  url: string,
  prompt: string,
  isReady: () => boolean | Promise<boolean>,
): Promise<void> {
  const child = startClient(client, at, url, client.args(prompt, {}))
  const ended = new Promise((resolve) => child.on('close', resolve))
  child.stdout.resume()
  child.stderr.resume()
  await waitFor(isReady)
  await endProcessesOf(at)
  await ended
}

function startClient(client: Client, at: Home, url: string, args: string[]) {
  return spawn(binary(client.name), args, {
    cwd: at.project,
    env: { ...plainEnvironment(at), ...client.env(at, url) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
}

function plainEnvironment(at: Home): Record<string, string> {
  return {
    // Some clients are scripts that look for node on the path.
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: at.home,
    TMPDIR: join(at.home, 'tmp'),
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    SHELL: '/bin/sh',
  }
}
