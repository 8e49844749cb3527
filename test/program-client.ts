// The other end of test/program-host.ts: starts it once per test worker and waits for each answer.
// Without named pipes (Windows) every command gets a process of its own.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, readSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Command {
  cli: string
  args: string[]
  env: Record<string, string>
}

interface Result {
  status: number
  out: string
  err: string
}

interface Host {
  requests: number
  responses: number
}

let host: Host | undefined

export function runInHost({ cli, args, env }: Command): Result {
  if (process.platform === 'win32') return runInProcess({ cli, args, env })
  host ??= startHost(cli)
  const body = Buffer.from(JSON.stringify({ args, env }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(body.length)
  writeSync(host.requests, Buffer.concat([length, body]))
  return JSON.parse(readBytes(host, readBytes(host, 4).readUInt32LE()).toString())
}

function runInProcess({ cli, args, env }: Command): Result {
  const child = spawnSync(process.execPath, [cli, ...args], { env, encoding: 'utf8', maxBuffer: 1 << 28 })
  return { status: child.status ?? -1, out: child.stdout, err: child.stderr }
}

function startHost(cli: string): Host {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-host-'))
  const [requests, responses] = ['requests', 'responses'].map((name) => join(folder, name)) as [string, string]
  spawnSync('mkfifo', [requests, responses])
  spawn(process.execPath, [join(import.meta.dirname, 'program-host.ts'), cli, requests, responses], {
    // The program writes directly to a pipe, where the host could not collect it; errors of the host go to 3.
    stdio: ['ignore', 'ignore', 'ignore', 2],
  }).unref()
  return { requests: openSync(requests, 'w'), responses: openSync(responses, 'r') }
}

function readBytes({ responses }: Host, count: number): Buffer {
  const buffer = Buffer.alloc(count)
  for (let filled = 0; filled < count; ) {
    const bytes = readSync(responses, buffer, filled, count - filled, null)
    if (bytes === 0) {
      host = undefined
      throw new Error('test/program-host.ts ended while it ran a command')
    }
    filled += bytes
  }
  return buffer
}
