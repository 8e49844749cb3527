// What install would do, as data: nothing is written here, so a dry run is the plan, printed.
import type { HookFile } from '../agents/agent.ts'
import { planJson } from './json.ts'
import type { IsOurs } from './ours.ts'
import { type AgentRecord, type FileRecord, hashOf } from './record.ts'
import { applySplices, findSplices, joinSplices, type Splice } from './splices.ts'
import { readText } from './text.ts'
import { planToml } from './toml.ts'

export interface Edit {
  path: string
  /** Undefined where there is no file. */
  before: string | undefined
  /** Undefined where the file goes. */
  after: string | undefined
  /** What to remember of it; missing in an edit that takes back. */
  record?: FileRecord
}

export interface Before {
  isOurs: IsOurs
  /** Of an earlier install. */
  record: AgentRecord | undefined
}

/** One edit for every file in which something is missing; a user error, and no edit, where one of them cannot be edited. */
export function planInstall(files: readonly HookFile[], { isOurs, record }: Before): Edit[] {
  return files.flatMap((file) => {
    const before = readText(file.path)
    const earlier = before === undefined ? undefined : record?.files.find((known) => known.file.path === file.path)
    const { splices, made, asked } = planFile(file, before, isOurs, earlier)
    if (splices.length === 0) return []
    const after = applySplices(before ?? '', splices)
    return {
      path: file.path,
      before,
      after,
      record: {
        file: asked,
        isNew: before === undefined || (earlier?.isNew ?? false),
        splices: earlier ? sinceFirst(earlier, before!, splices) : splices,
        made: [...(earlier?.made ?? []), ...made],
        hash: hashOf(after),
      },
    }
  })
}

interface FilePlan {
  splices: Splice[]
  made: string[][]
  asked: HookFile
}

function planFile(
  file: HookFile,
  before: string | undefined,
  isOurs: IsOurs,
  earlier: FileRecord | undefined,
): FilePlan {
  const text = before ?? ''
  switch (file.kind) {
    case 'own': {
      const splices = before === file.content ? [] : [{ at: 0, removed: text, added: file.content }]
      return { splices, made: [], asked: file }
    }
    case 'json': {
      // As it will be read back: a key without a value is not there.
      const entries = JSON.parse(JSON.stringify(file.entries)) as typeof file.entries
      const known = earlier?.file.kind === 'json' ? earlier.file.entries : []
      const plan = planJson(text, file.path, entries, { isOurs, entries: known, made: earlier?.made })
      return { splices: plan.splices, made: plan.made, asked: { ...file, entries: plan.entries } }
    }
    case 'toml': {
      const texts = earlier?.file.kind === 'toml' ? [earlier.file.text] : []
      return { splices: planToml(text, file.path, file.text, { isOurs, texts }), made: [], asked: file }
    }
    default:
      return file satisfies never
  }
}

/**
 * The change since the file was without us. Where the earlier change is not to be found any more, nothing exact is left to
 * remember, and uninstall goes by what our items are.
 */
function sinceFirst(earlier: FileRecord, before: string, splices: Splice[]): Splice[] {
  const first = earlier.hash === hashOf(before) ? earlier.splices : findSplices(before, earlier.splices)
  if (first) return joinSplices(first, splices)
  return earlier.file.kind === 'own'
    ? [{ at: 0, removed: earlier.splices[0]?.removed ?? '', added: splices[0]!.added }]
    : []
}
