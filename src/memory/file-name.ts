// Title, description and file name of a memory. The file name cannot leave its folder.
import { createHash } from 'node:crypto'
import { ellipsize } from '../text/truncate.ts'

const maxTitle = 32
const maxDescription = 120

/** The first words of the text. */
export function titleOf(text: string): string {
  return ellipsize(plainLine(text), maxTitle).replace(/[.,:;!?…]+$/, '') || 'memory'
}

/** The first sentence, on one line. */
export function descriptionOf(text: string): string {
  const line = plainLine(text)
  const sentence = /^.{20,}?[.!?](?=\s|$)/u.exec(line)?.[0] ?? line
  return ellipsize(sentence, maxDescription)
}

/** The words of the title and the id; letters of other scripts are kept. */
export function fileNameOf({ id, text }: { id: string; text: string }): string {
  const words = titleOf(text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  return `${words || 'memory'}-${shortId(id)}.md`
}

function shortId(id: string): string {
  const plain = id.replace(/^m-/, '').toLowerCase()
  return /^[a-z0-9]{8,16}$/.test(plain) ? plain : createHash('sha1').update(id).digest('hex').slice(0, 10)
}

/** Without line breaks, invisible characters, and brackets that would end a link. */
export function plainLine(text: string): string {
  return text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replace(/[[\]<>|]/g, '')
    .replace(/^(?:[#>*+-]+ )+/, '')
    .replace(/ {2,}/g, ' ')
    .trim()
}
