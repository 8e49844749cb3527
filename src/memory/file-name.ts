// What a memory is called: a few of its words for people, and a file name that nothing in it can lead out of the folder.
import { createHash } from 'node:crypto'
import { truncate } from '../text/truncate.ts'

const maxTitle = 32
const maxDescription = 120

/** Its first words. */
export function titleOf(text: string): string {
  return shortened(plainLine(text), maxTitle).replace(/[.,:;!?…]+$/, '') || 'memory'
}

/** Its first sentence, on one line. */
export function descriptionOf(text: string): string {
  const line = plainLine(text)
  const sentence = /^.{20,}?[.!?](?=\s|$)/u.exec(line)?.[0] ?? line
  return shortened(sentence, maxDescription)
}

/** The words of its title and its id; letters of other scripts stay. */
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

/** Without line breaks, other signs that are not seen, and the brackets that would end a link. */
export function plainLine(text: string): string {
  return text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replace(/[[\]<>|]/g, '')
    .replace(/^(?:[#>*+-]+ )+/, '')
    .replace(/ {2,}/g, ' ')
    .trim()
}

/** Cut between words where there are any. */
export function shortened(line: string, max: number): string {
  if (line.length <= max) return line
  const cut = truncate(line, max - 1)
  const word = cut.lastIndexOf(' ')
  return `${(word > max / 2 ? cut.slice(0, word) : cut).trimEnd()}…`
}
