// Whether a text tells what was needed: by the names that must stand there, close together. A paraphrase
// does not count, so the figures are rather too low.
import { contentWords } from '../text/content-words.ts'
import type { TellingNames } from './need.ts'

/** Of the words of a sentence. */
const mostWords = 0.75

export function isToldIn(text: string, names: TellingNames): boolean {
  return linesOf(text).some((line) => isInLine(line, names))
}

function linesOf(text: string): string[] {
  return text
    .replaceAll('\\', '/')
    .split('\n')
    .filter((line) => line.trim() !== '')
}

function isInLine(line: string, names: TellingNames): boolean {
  switch (names.by) {
    case 'words': {
      const said = new Set(contentWords(line))
      return names.words.filter((word) => said.has(word)).length >= mostWords * names.words.length
    }
    case 'command':
      return standsIn(line, names.phrase) && names.words.every((word) => standsIn(line, word))
    case 'path':
      return hasPath(line, names.path)
    case 'all':
      return names.texts.every((text) => standsIn(line, text))
    default:
      return names satisfies never
  }
}

/** Not as a part of a longer name: `test` is not in `npm run test:unit`. */
function standsIn(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    const [before = '', after = ''] = [line[at - 1], line[at + name.length]]
    if (!isNamePart.test(before) && !isNamePart.test(after) && !/^[:=./-]\w/.test(line.slice(at + name.length)))
      return true
  }
  return false
}

const isNamePart = /[\w-]/

/** As it is, or as a list of files after their folder: `- src/login/: form.ts, token.ts`. */
function hasPath(line: string, path: string): boolean {
  if (endsPath(line, path)) return true
  const at = path.lastIndexOf('/') + 1
  const [folder, name] = [path.slice(0, at), path.slice(at)]
  return folder !== '' && line.includes(`- ${folder}: `) && standsIn(line.slice(line.indexOf(': ')), name)
}

function endsPath(line: string, path: string): boolean {
  const at = line.indexOf(path)
  return (
    at >= 0 &&
    !/[\w-]/.test(line[at + path.length] ?? '') &&
    !/[\w-]/.test(path.includes('/') ? '' : (line[at - 1] ?? ''))
  )
}
