// What has reached the ledger, asked the way a user asks: with the program.
import { setTimeout as sleep } from 'node:timers/promises'
import { recollect } from '../program.ts'
import { waitFor } from '../wait-for.ts'
import type { Client, Home } from './client.ts'
import { ours } from './processes.ts'

/** Waits until one session holds all of these texts, and gives the time at which it did; undefined when it never does. */
export async function heldSince(client: Client, at: Home, texts: string[]): Promise<number | undefined> {
  const until = Date.now() + patienceMs
  while (Date.now() < until) {
    if (sessions(client, at).some((session) => texts.every((text) => session.includes(text)))) return Date.now()
    await sleep(50)
  }
  return undefined
}

const patienceMs = 10_000

/** Every session of this client, as `show --json` prints it. */
export function sessions(client: Client, at: Home): string[] {
  const listed = recollect(at, 'sessions', '--agent', client.agent, '--json')
  if (listed.status !== 0) return []
  const known = listed.json() as { id: string }[]
  return known.map(({ id }) => recollect(at, 'show', id, '--json').out)
}

/** A session as `sessions --json` lists it. */
interface ListedSession {
  id: string
  outcome: string
  counts: { prompts: number; toolCalls: number }
  tokens: { input: number; output: number; isLowerBound: boolean }
}

/** The sessions of a client, newest first, when every worker has ended and everything is captured. */
export async function settled(client: Client, at: Home): Promise<ListedSession[]> {
  await waitFor(() => ours(at).length === 0)
  return listed(client, at)
}

/** The sessions of a client as far as they are written. */
export function listed(client: Client, at: Home): ListedSession[] {
  recollect(at, 'sweep')
  return recollect(at, 'sessions', '--agent', client.agent, '--json').json() as ListedSession[]
}
