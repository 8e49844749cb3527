// fix: what helped with an error before.
import * as z from 'zod'
import { plural } from '../../core/units.ts'
import { type FoundFix, findFixes } from '../../fixes/find-fixes.ts'
import { fixText } from '../../fixes/fix-text.ts'
import { evidenceNotice, wrapEvidence } from '../../gate/evidence.ts'
import { allProjects, requestedProject } from '../client-project.ts'
import type { ToolCall } from '../tool-result.ts'

export const fixInput = z.strictObject({
  error: z.string().min(1).max(20_000).describe('the error message, or the whole output of the command'),
  command: z.string().min(1).max(4000).optional().describe('the command that failed, if known'),
  project: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe(`only this project: name, identity or folder (default: all, the project you work in first)`),
})

const maxFixes = 3

export function fixTool(call: ToolCall, { error, command, project }: z.infer<typeof fixInput>): string {
  const own = requestedProject(call, project)
  const { fixes, held } = findFixes(call.ledger, {
    text: error,
    project: own ?? null,
    isOnly: project !== undefined && project !== allProjects,
    limit: maxFixes,
    ...(command === undefined ? {} : { command }),
  })
  const kept = held.length === 0 ? '' : ` ${heldText(held.length)}`
  if (fixes.length === 0) return `Nothing found: no session is known that fixed this error.${kept}`
  return [
    evidenceNotice,
    ...fixes.map((fix) => evidenceOf(call, fix)),
    `Check it against the code as it is now. To read on: session_get with a session and the number of the failure as from.${kept}`,
  ].join('\n\n')
}

/** An agent is not told where: what is held back is for the person. */
function heldText(count: number): string {
  return `${plural(count, 'answer')} held back, because a command or text in it may harm; the user can list them: recollect status --runs`
}

function evidenceOf({ app }: ToolCall, fix: FoundFix): string {
  const { failure, remedy, diff, source } = fixText(fix, app.zone)
  const { session, failedSeq, at, project } = fix
  return wrapEvidence({ session, from: failedSeq, date: at, project }, [failure, remedy, ...diff, source].join('\n'))
}
