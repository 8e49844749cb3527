// Plans an uninstall. Restores the original bytes if the file is unchanged since the install,
// removes the recorded text if the file has changed around it, and otherwise recognises our entries
// by content.
import { isDeepStrictEqual } from 'node:util'
import type { HookFile } from '../agents/agent.ts'
import { jsonOf, parseJson } from './edit/json-document.ts'
import type { IsOwnedItem } from './edit/owned-entries.ts'
import { isFallback, type OwnedEntries, removeOwnedEntries } from './edit/owned-entries.ts'
import { isCleanRemoval, removeOwnedToml } from './edit/plan-toml.ts'
import { isCleanTableRemoval, removeOwnedTable } from './edit/plan-toml-table.ts'
import { readText } from './edit/read-text.ts'
import { locateTextEdits, revertTextEdits } from './edit/text-edits.ts'
import type { EarlierInstall } from './plan.ts'
import { hashOf } from './record.ts'
import type { FileEdit, FileRecord } from './types.ts'

/** Also searches `files`: the record may be lost or incomplete. */
export function planUninstall(
  files: readonly HookFile[],
  { isOurs, record, read = readText }: EarlierInstall,
): FileEdit[] {
  const recorded = record?.files ?? []
  const unrecorded = files.filter(({ path }) => !recorded.some(({ file }) => file.path === path))
  return [...recorded, ...unrecorded.map(withoutRecord)].flatMap((known) => {
    const { path } = known.file
    const before = read(path)
    if (before === undefined) return []
    const after = textWithoutOwned(before, known, isOurs)
    return after === before ? [] : { path, before, after }
  })
}

/** A file to remove our entries from; `made` is undefined without a record. */
type UninstallFile = Omit<FileRecord, 'made'> & { made: string[][] | undefined }

function withoutRecord(file: HookFile): UninstallFile {
  const owned = file.kind === 'json' ? { ...file, entries: file.entries.filter((entry) => !isFallback(entry)) } : file
  return { file: owned, isNew: false, splices: [], made: undefined, hash: '' }
}

function textWithoutOwned(text: string, known: UninstallFile, isOurs: IsOwnedItem): string | undefined {
  const { file, isNew, hash, splices } = known
  const isUnchanged = hashOf(text) === hash
  const found = isUnchanged ? splices : locateTextEdits(text, splices)
  const earlier = found && found.length > 0 ? revertTextEdits(text, found) : undefined
  switch (file.kind) {
    case 'own':
      return isNew || splices.length === 0 ? undefined : splices[0]!.removed
    case 'json': {
      const ours: OwnedEntries = { isOurs, entries: file.entries, made: known.made }
      const isExact = earlier !== undefined && isCleanJsonRemoval(text, earlier, file.path, ours)
      return unlessEmpty(isExact ? earlier : removeOwnedEntries(text, file.path, ours, 'unneeded'), isNew)
    }
    case 'toml': {
      const ours = { isOurs, texts: [file.text] }
      const isExact = earlier !== undefined && isCleanRemoval(text, earlier, file.path, ours)
      return unlessEmpty(isExact ? earlier : removeOwnedToml(text, file.path, ours), isNew)
    }
    case 'toml table': {
      const isExact = earlier !== undefined && isCleanTableRemoval(text, earlier, file, isOurs)
      return unlessEmpty(isExact ? earlier : removeOwnedTable(text, file, isOurs), isNew)
    }
    default:
      return file satisfies never
  }
}

/**
 * Whether `after` equals `before` without our entries: the located text may have moved elsewhere.
 */
function isCleanJsonRemoval(before: string, after: string, path: string, ours: OwnedEntries): boolean {
  const expected = jsonIn(removeOwnedEntries(before, path, ours, 'all'), path)
  try {
    return isDeepStrictEqual(jsonIn(after, path), expected)
  } catch {
    return false
  }
}

function jsonIn(text: string, path: string): unknown {
  const { root } = parseJson(text, path)
  return root ? jsonOf(root) : {}
}

/** Deletes a file that install created if nothing else is in it. */
function unlessEmpty(text: string, isNew: boolean): string | undefined {
  return isNew && /^\uFEFF?\s*(?:\{\s*\}|\[\s*\])?\s*$/.test(text) ? undefined : text
}
