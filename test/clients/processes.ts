// Who is still running on behalf of a test, as /proc tells it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Home } from './client.ts'

export interface Process {
  pid: number
  command: string
  environment: string
}

export const canSeeProcesses = existsSync('/proc/self/environ')

/** Recollect's own processes for this store: hooks, and the worker that they start. */
export function ours(at: Home): Process[] {
  return processesOf(at).filter(
    ({ command, environment }) =>
      command.includes(at.store) || command.includes('cli.js') || environment.includes(`RECOLLECT_HOME=${at.store}`),
  )
}

/** Whether a process of the client runs this command. */
export function isRunning(at: Home, command: string): boolean {
  return processesOf(at).some((one) => one.command.trim() === command)
}

export async function endProcessesOf(at: Home): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    const left = processesOf(at)
    if (left.length === 0) return
    for (const { pid } of left) end(pid)
    await sleep(50)
  }
}

/** Every process that names the made-up user's folder, as its home or anywhere else. */
function processesOf(at: Home): Process[] {
  if (!canSeeProcesses) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((name) => ({ pid: Number(name), command: words(name, 'cmdline'), environment: words(name, 'environ') }))
    .filter(({ command, environment }) => command.includes(at.root) || environment.includes(at.root))
}

function words(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ')
  } catch {
    // It ended while we looked, or is not ours to see.
    return ''
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}
