import { UserError } from '../../core/errors.ts'
import { createRedactor, removalNotice } from '../../core/redact/redact.ts'
import type { Memory } from '../../memory/memory.ts'
import { secretReason } from '../admission/team-access.ts'
import type { MemoryEdits } from './edit-memory.ts'

export interface CleanEdits {
  edits: MemoryEdits
  /** Says what was removed. */
  notice: string | undefined
}

/** Secrets are removed, and refused in what a team reads. */
export function cleanEdits(memory: Pick<Memory, 'space'>, edits: MemoryEdits): CleanEdits {
  const { text, why, apply, tags, ...rest } = edits
  const redactor = createRedactor()
  const clean = {
    ...rest,
    ...(text === undefined ? {} : { text: redactor.clean(text) }),
    ...(why === undefined ? {} : { why: why && redactor.clean(why) }),
    ...(apply === undefined ? {} : { apply: apply && redactor.clean(apply) }),
    ...(tags === undefined ? {} : { tags: tags.map(redactor.clean) }),
  }
  const secret = memory.space === null ? undefined : secretReason(redactor.counts)
  if (secret) throw new UserError(`${secret}: the team would see it`, 'Rephrase it without the secret.', 1)
  return { edits: clean, notice: removalNotice(redactor.counts) }
}
