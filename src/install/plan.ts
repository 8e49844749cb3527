// Plans an installation as data, without writing anything: a dry run prints the plan.
import type { HookFile } from '../agents/agent.ts'
import { requireReadable } from './edit/json-document.ts'
import type { IsOwnedItem } from './edit/owned-entries.ts'
import { planJson } from './edit/plan-json.ts'
import { planToml } from './edit/plan-toml.ts'
import { planTomlTable } from './edit/plan-toml-table.ts'
import { readText } from './edit/read-text.ts'
import { applyTextEdits, composeTextEdits, locateTextEdits, type TextEdit } from './edit/text-edits.ts'
import { hashOf } from './record.ts'
import type { AgentRecord, FileEdit, FileRecord } from './types.ts'

export interface EarlierInstall {
  isOurs: IsOwnedItem
  /** Record of an earlier install. */
  record: AgentRecord | undefined
  /** Reads a file as it will be when this plan is applied. */
  read?(path: string): string | undefined
}

/**
 * Returns one edit for each file that is not up to date. Throws a UserError if one of them cannot
 * be edited.
 */
export function planInstall(
  files: readonly HookFile[],
  { isOurs, record, read = readText }: EarlierInstall,
): FileEdit[] {
  return files.flatMap((file) => {
    const before = read(file.path)
    const earlier = before === undefined ? undefined : record?.files.find((known) => known.file.path === file.path)
    const { splices, made, recordedFile: asked } = planFile(file, before, isOurs, earlier)
    if (splices.length === 0) return []
    const after = applyTextEdits(before ?? '', splices)
    return {
      path: file.path,
      before,
      after,
      record: {
        file: asked,
        isNew: before === undefined || (earlier?.isNew ?? false),
        splices: earlier ? editsSinceOriginal(earlier, before!, splices) : splices,
        made: [...(earlier?.made ?? []), ...made],
        hash: hashOf(after),
      },
    }
  })
}

interface FilePlan {
  splices: TextEdit[]
  made: string[][]
  recordedFile: HookFile
}

function planFile(
  file: HookFile,
  before: string | undefined,
  isOurs: IsOwnedItem,
  earlier: FileRecord | undefined,
): FilePlan {
  const text = before ?? ''
  switch (file.kind) {
    case 'own': {
      const splices = before === file.content ? [] : [{ at: 0, removed: text, added: file.content }]
      return { splices, made: [], recordedFile: file }
    }
    case 'json': {
      if (file.rejects) requireReadable(text, file.path, file.rejects)
      // As installed.json will return it: without keys whose value is undefined.
      const entries = JSON.parse(JSON.stringify(file.entries)) as typeof file.entries
      const known = earlier?.file.kind === 'json' ? earlier.file.entries : []
      const plan = planJson(text, file.path, entries, { isOurs, entries: known, made: earlier?.made })
      return { splices: plan.splices, made: plan.made, recordedFile: { ...file, entries: plan.entries } }
    }
    case 'toml': {
      const texts = earlier?.file.kind === 'toml' ? [earlier.file.text] : []
      return { splices: planToml(text, file.path, file.text, { isOurs, texts }), made: [], recordedFile: file }
    }
    case 'toml table':
      return { splices: planTomlTable(text, file, isOurs), made: [], recordedFile: file }
    default:
      return file satisfies never
  }
}

/**
 * Returns the edits from the original file, before the first install, to the new content. If the
 * earlier edits cannot be found in the file any more, returns none: uninstall then recognises our
 * entries by their content.
 */
function editsSinceOriginal(earlier: FileRecord, before: string, splices: TextEdit[]): TextEdit[] {
  const first = earlier.hash === hashOf(before) ? earlier.splices : locateTextEdits(before, earlier.splices)
  if (first) return composeTextEdits(first, splices)
  return earlier.file.kind === 'own'
    ? [{ at: 0, removed: earlier.splices[0]?.removed ?? '', added: splices[0]!.added }]
    : []
}
