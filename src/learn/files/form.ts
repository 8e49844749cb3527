// A memory as a form for an editor: its memory file.
import { UserError } from '../../core/errors.ts'
import type { Memory } from '../../memory/memory.ts'
import { secretReason } from '../admission/team-access.ts'
import type { MemoryEdits } from '../review/edit-memory.ts'
import { type MemoryFilesContext, renderContextOf, type TextRedactor } from './context.ts'
import { editsOf, redactFields, withUserLines } from './diff.ts'
import { parseMemoryFile } from './parse.ts'
import { renderMemory } from './render.ts'

type FormContext = Pick<MemoryFilesContext, 'ledger' | 'config'>

export function renderMemoryForm(context: FormContext, memory: Memory): string {
  return renderMemory(memory, renderContextOf(context))
}

/** What the person has changed, and the secrets that were removed from it, by rule. */
export async function parseMemoryForm(
  context: FormContext,
  memory: Memory,
  content: string,
  redact: TextRedactor,
): Promise<{ edits: MemoryEdits; counts: Record<string, number> }> {
  if (content.trim() === '' || content === renderMemoryForm(context, memory)) return { edits: {}, counts: {} }
  const parsed = await parseMemoryFile(content)
  if (parsed.kind === 'bad') throw new UserError(`Line ${parsed.line}: ${parsed.reason}`, 'Nothing was changed.')
  // Lines of our format below the headings are ours, even if an editor changed them.
  const whole = withUserLines(parsed.said, memory, renderContextOf(context), false)
  const { said, counts } = redactFields({ ...whole, doubt: parsed.said.doubt }, redact)
  const secret = memory.space === null ? undefined : secretReason(counts)
  if (secret) throw new UserError(`${secret}: the team would see it`, 'Rephrase it without the secret.', 1)
  return { edits: editsOf(memory, said), counts }
}
