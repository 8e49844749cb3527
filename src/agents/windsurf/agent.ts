// Windsurf, also called Devin Desktop: its agent Cascade. Conversations are encrypted, but a hook
// makes the editor write each of them as JSON lines. Old chats in `state.vscdb` are not read.
import { basename, join } from 'node:path'
import { statOrUndefined } from '../../core/files.ts'
import type { SessionDetails } from '../../core/session.ts'
import type { Agent, DocumentTranscript } from '../agent.ts'
import { findFiles, readRecords } from '../files.ts'
import { windsurfHooks } from './hooks.ts'
import { openSteps } from './reader.ts'

export const windsurf: Agent = {
  id: 'windsurf',
  name: 'Windsurf',
  aliases: ['cascade'],
  roots: ({ home }) => [join(home, '.windsurf', 'transcripts')],
  *find(root) {
    for (const path of findFiles(root, /\.jsonl$/, 0)) yield transcript(path)
  },
  hooks: windsurfHooks,
}

/** A document: the editor writes the conversation again after every answer. */
function transcript(path: string): DocumentTranscript {
  return {
    shape: 'document',
    path,
    read(out) {
      let steps: ReturnType<typeof openSteps> | undefined
      for (const { record } of readRecords(path, out)) {
        steps ??= openSteps(basename(path, '.jsonl'), fileTimes(path), out)
        steps(record)
      }
      return undefined
    },
  }
}

/** Steps have no times: those of the file say at least when the conversation took place. */
function fileTimes(path: string): SessionDetails {
  const file = statOrUndefined(path)
  if (!file) return {}
  const startedMs = file.birthtimeMs > 0 ? Math.min(file.birthtimeMs, file.mtimeMs) : file.mtimeMs
  return { started: new Date(startedMs).toISOString(), ended: file.mtime.toISOString() }
}
