// Reads a transcript that was made for another agent with that agent's reader, before it is written
// where the agent finds it: this proves that it can be read, and gives the keys of its events.
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Agent, NativeTranscript } from '../agents/agent.ts'
import { readParts } from '../capture/reading/read-batches.ts'
import { temporaryPath } from '../core/leftovers.ts'
import type { Layout } from '../core/paths.ts'
import type { Event } from '../core/session.ts'

export function readBack(agent: Agent, native: NativeTranscript, { run }: Layout): Event[] {
  const stage = temporaryPath(join(run, 'handoff'))
  rmSync(stage, { recursive: true, force: true })
  try {
    for (const { path, content } of native.files) {
      mkdirSync(dirname(join(stage, path)), { recursive: true, mode: 0o700 })
      writeFileSync(join(stage, path), content, { mode: 0o600 })
    }
    return [...eventsIn(agent, stage, native.id)]
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

function* eventsIn(agent: Agent, root: string, native: string): Generator<Event> {
  for (const transcript of agent.find(root)) {
    const found = { agent, transcript, stamp: '', size: statSync(transcript.path).size, bornMs: 0, changedMs: 0 }
    for (const { data } of readParts(found, undefined)) {
      const [problem] = data.problems
      if (problem) throw new Error(`${agent.name} could not read what was written for it: ${problem.reason}`)
      for (const [id, { events }] of data.sessions) {
        if (id !== native) throw new Error(`${agent.name} would take the session for ${id}`)
        yield* events
      }
    }
  }
}
