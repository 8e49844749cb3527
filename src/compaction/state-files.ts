// Files below run/compaction, two per session: the facts gathered so far, from which the next turn
// continues, and the text that the hook prints when the agent asks for a summary. The hook finds
// them by agent and session id, so other ids have none.
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readTextOrEmpty, writeAtomically } from '../core/files.ts'
import type { Layout } from '../core/paths.ts'
import type { FactState } from './fact-state.ts'

export interface SessionFactFiles {
  state: string
  /** Printed by the hook. */
  text: string
}

/** Undefined for an id that is no plain file name. */
export function factFilesOf(layout: Layout, session: string): SessionFactFiles | undefined {
  const [, agent, native] = /^([a-z-]+):([A-Za-z0-9_-]{1,80})$/.exec(session) ?? []
  if (!agent || !native) return undefined
  const path = join(folderOf(layout), `${agent}.${native}`)
  return { state: `${path}.json`, text: `${path}.txt` }
}

export function removeFactFiles(layout: Layout): void {
  rmSync(folderOf(layout), { recursive: true, force: true })
}

/** A session that was not continued for so long begins anew, from its body. */
export function removeOldFactFiles(layout: Layout, beforeMs: number): void {
  for (const name of namesBelow(folderOf(layout))) {
    const path = join(folderOf(layout), name)
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? beforeMs) < beforeMs) rmSync(path, { force: true })
  }
}

function folderOf({ run }: Layout): string {
  return join(run, 'compaction')
}

function namesBelow(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Of another version the events are read again. */
const version = 2

export function writeFactState({ run }: Layout, { state: path }: SessionFactFiles, state: FactState): void {
  mkdirSync(join(run, 'compaction'), { recursive: true, mode: 0o700 })
  const { names, commands, errors, openCalls } = state
  const maps = { names: [...names], commands: [...commands], errors: [...errors], openCalls: [...openCalls] }
  writeAtomically(path, JSON.stringify({ version, ...state, ...maps }))
}

/** Undefined if there is none that can be continued. The file is our own, so its shape is trusted. */
export function readFactState({ state: path }: SessionFactFiles): FactState | undefined {
  try {
    const { version: written, ...saved } = JSON.parse(readTextOrEmpty(path))
    if (written !== version) return undefined
    const { names, commands, errors, openCalls } = saved
    const maps = { names: new Map(names), commands: new Map(commands), errors: new Map(errors) }
    return { ...saved, ...maps, openCalls: new Map(openCalls) } as FactState
  } catch {
    return undefined
  }
}
