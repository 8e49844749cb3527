// Makes an agent of a program of the Pi family: they share the format of the session and differ in
// folders, entries and a few rules.
import type { Machine } from '../../core/paths.ts'
import type { Agent, LogTranscript } from '../agent.ts'
import { repairPiBlock } from '../repaired-parts.ts'
import { openPi } from './reader.ts'
import type { PiDialect } from './state.ts'

export interface PiMember extends Pick<Agent, 'id' | 'name' | 'aliases' | 'resume' | 'handoff'> {
  dialect: PiDialect
  folders(machine: Machine): string[]
  /** The files of sessions below one of the folders. */
  files(folder: string): Iterable<string>
  /** Bytes of a first line that is rewritten in place. */
  rewrittenBytes?: number
}

export function piAgent({ dialect, folders, files, rewrittenBytes, ...agent }: PiMember): Agent {
  const transcript = (path: string): LogTranscript => ({
    shape: 'log',
    path,
    ...(rewrittenBytes === undefined ? {} : { rewrittenBytes }),
    open: (out, state) => openPi(path, dialect, out, state),
  })
  return {
    repairPart: repairPiBlock,
    ...agent,
    roots: folders,
    *find(root) {
      for (const path of files(root)) yield transcript(path)
    },
  }
}
