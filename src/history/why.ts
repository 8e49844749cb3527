// Why a file is as it is: settled memories that name it, and the sessions that changed it with what
// was asked there.
import { tellMemory } from '../gate/gate.ts'
import type { Memory } from '../memory/memory.ts'
import { filesOfMemory, namesFile } from '../memory/named-files.ts'
import { listMemories } from '../store/memories/memories.ts'
import { type Blame, blame } from './blame.ts'
import type { BlameContext } from './blame-file.ts'

export interface FileReasons extends Pick<Blame, 'file' | 'project' | 'sessions' | 'total'> {
  /** The last confirmed first. */
  memories: Memory[]
}

export function whyFile(context: BlameContext, limit: number): FileReasons {
  const { file, project, sessions, total } = blame(context, { limit })
  return { file, project, memories: memoriesAbout(context), sessions, total }
}

function memoriesAbout({ ledger, project, file }: BlameContext): Memory[] {
  return listMemories(ledger, { project, withGlobal: true, state: 'kept', isCurrent: true })
    .filter(({ status }) => status !== 'hypothetical')
    .filter((memory) => filesOfMemory(memory).some((name) => namesFile(name, file.path)))
    .flatMap((memory) => {
      const one = tellMemory(memory)
      return 'told' in one ? [{ ...memory, ...one.told }] : []
    })
}
