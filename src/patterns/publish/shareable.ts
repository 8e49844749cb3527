// Instruction files are read by models and go into repositories: once more without secrets, and without the folders of one
// person's machine.
import { redact } from '../../core/redact.ts'

export interface Surroundings {
  /** The user's home. */
  home: string
  /** Of the project; undefined for what holds everywhere. */
  root?: string | undefined
}

export function shareable(text: string, { home, root }: Surroundings): string {
  const [clean] = redact([text.trim().replace(/\r\n?/g, '\n')]).texts
  const inProject = root === undefined ? clean! : withoutFolder(clean!, root, '.')
  return withoutFolder(inProject, home, '~')
    .replace(/(?<![\w~.])(?:\/home|\/Users)\/[^/\s`'"),;:]+/g, '~')
    .replace(/\b[A-Za-z]:\\Users\\[^\\\s`'"),;:]+/g, '~')
    .replaceAll('<!--', '&lt;!--')
    .replaceAll('-->', '--&gt;')
}

function withoutFolder(text: string, folder: string, instead: string): string {
  const plain = folder.replace(/[\\/]+$/, '')
  if (plain.length < 2) return text
  const escaped = plain.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return text.replace(new RegExp(`(?<![\\w~.])${escaped}(?![\\w-]|\\.\\w)`, 'g'), instead)
}
