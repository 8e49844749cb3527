// Removes from a line of a transcript what is removed from events: secrets by their form, values under
// the name of a secret, and what a file that holds secrets says.
import { isSecretValue } from '../../core/redact/redact.ts'
import { redactFile, type SecretFileKind, secretFileKind, secretFileOf } from '../../core/redact/secret-files.ts'
import type { RedactTexts } from '../context.ts'
import { changeStrings, visitStrings } from './json-strings.ts'

export interface LineRules {
  /** Files whose content the line may have. */
  files: ReadonlySet<SecretFileKind>
  /** Values that were removed from the events of the line because of their names. */
  values: ReadonlySet<string>
  /** Strings of events that are stored as they are. */
  stored(): ReadonlySet<string>
}

const noRules: LineRules = { files: new Set(), values: new Set(), stored: () => new Set() }

/** Undefined if the line has a secret that cannot be told from the rest. */
export function redactLine(text: string, redact: RedactTexts, rules: LineRules = noRules): string | undefined {
  const clean = (plain: string) => redact([plain]).texts[0]!
  if (text.includes('\0')) {
    // Another encoding, such as UTF-16, has NUL between the characters.
    const bare = text.replaceAll('\0', '')
    if (clean(bare) !== bare) return undefined
  }
  return changeStrings(clean(text), (value, name) => {
    if (rules.values.has(value) || isSecretValue(name, value)) return '[secret: password]'
    return isStructural(name) || rules.stored().has(value) ? value : withoutFiles(value, rules.files)
  })
}

/** Removes what the content of such files says from a text. */
export function withoutFiles(text: string, files: LineRules['files']): string {
  let clean = text
  for (const kind of files) clean = redactFile(clean, kind).text
  return clean
}

/** Fields with names of things, and not with the content of a file. */
function isStructural(name: string): boolean {
  return /^(?:type|role|model|version|cwd|path|file_?[pP]ath|timestamp|name|level|status|u?u?id|\w*(?:_id|Id|ID|Uuid|UUID))$/.test(
    name,
  )
}

const maxName = 300
/** Names of values that are no path, and occur in every line. */
const otherNames = new Set(['type', 'uuid', 'parentUuid', 'sessionId', 'timestamp', 'version', 'role', 'id', 'model'])
const commandNames = new Set(['command', 'cmd', 'script'])

/** The files with secrets that a line names, that a command in it reads, or that one of these calls is about. */
export function filesNamedIn(text: string, calls: ReadonlyMap<string, SecretFileKind>): Set<SecretFileKind> {
  const found = new Set<SecretFileKind>()
  const visit = (value: string, name: string) => {
    if (otherNames.has(name)) return
    const kind =
      (calls.size === 0 ? undefined : calls.get(value)) ??
      secretFileKind(value) ??
      (commandNames.has(name) ? secretFileOf({ [name]: value }) : undefined)
    if (kind) found.add(kind)
  }
  visitStrings(text, visit, maxName)
  return found
}
