// The way back. First to the very bytes that were there before us; where the file has changed since, by taking out the text
// that we added; where that is not to be found any more, by what our items are.
import { isDeepStrictEqual } from 'node:util'
import type { HookFile } from '../agents/agent.ts'
import { isItem, type Ours, removeOurs } from './json-ours.ts'
import { jsonOf, parseJson } from './json-tree.ts'
import type { IsOurs } from './ours.ts'
import type { Before, Edit } from './plan.ts'
import { type FileRecord, hashOf } from './record.ts'
import { findSplices, takeBack } from './splices.ts'
import { readText } from './text.ts'
import { isTakenOut, removeToml } from './toml.ts'

/** `files` are looked through as well: a record may be lost, or not know of all of them. */
export function planUninstall(files: readonly HookFile[], { isOurs, record }: Before): Edit[] {
  const recorded = record?.files ?? []
  const unrecorded = files.filter(({ path }) => !recorded.some(({ file }) => file.path === path))
  return [...recorded, ...unrecorded.map(withoutRecord)].flatMap((known) => {
    const { path } = known.file
    const before = readText(path)
    if (before === undefined) return []
    const after = textWithoutUs(before, known, isOurs)
    return after === before ? [] : { path, before, after }
  })
}

/** What can be said of a file that we may have written, and do not remember. */
type Known = Omit<FileRecord, 'made'> & { made: string[][] | undefined }

function withoutRecord(file: HookFile): Known {
  const asked = file.kind === 'json' ? { ...file, entries: file.entries.filter(isItem) } : file
  return { file: asked, isNew: false, splices: [], made: undefined, hash: '' }
}

function textWithoutUs(text: string, known: Known, isOurs: IsOurs): string | undefined {
  const { file, isNew, hash, splices } = known
  const isUnchanged = hashOf(text) === hash
  const found = isUnchanged ? splices : findSplices(text, splices)
  const earlier = found && found.length > 0 ? takeBack(text, found) : undefined
  switch (file.kind) {
    case 'own':
      return isNew || splices.length === 0 ? undefined : splices[0]!.removed
    case 'json': {
      const ours: Ours = { isOurs, entries: file.entries, made: known.made }
      const isExact = earlier !== undefined && isJsonTakenOut(text, earlier, file.path, ours)
      return unlessEmpty(isExact ? earlier : removeOurs(text, file.path, ours, 'unneeded'), isNew)
    }
    case 'toml': {
      const ours = { isOurs, texts: [file.text] }
      const isExact = earlier !== undefined && isTakenOut(text, earlier, file.path, ours)
      return unlessEmpty(isExact ? earlier : removeToml(text, file.path, ours), isNew)
    }
    default:
      return file satisfies never
  }
}

/** Whether `after` says what `before` says without us: a text that we find again may stand in another place by now. */
function isJsonTakenOut(before: string, after: string, path: string, ours: Ours): boolean {
  const expected = jsonIn(removeOurs(before, path, ours, 'all'), path)
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

/** A file that we made goes when nobody has put anything into it. */
function unlessEmpty(text: string, isNew: boolean): string | undefined {
  return isNew && /^\uFEFF?\s*(?:\{\s*\}|\[\s*\])?\s*$/.test(text) ? undefined : text
}
