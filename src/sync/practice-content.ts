// What is done to the text of a practice's file without understanding all of it: its title, its id, whether one is older than the
// other, and the copy that two people's edits leave.
import { createHash } from 'node:crypto'
import { fence, quoted, splitFile } from '../core/frontmatter.ts'
import { isField } from '../patterns/practice-file.ts'
import { listOf, sectionsIn, titleIn } from '../patterns/practice-sections.ts'

export function titleOf(content: string): string {
  return (titleIn(bodyOf(content)) ?? '').slice(0, 500)
}

/** Every change of a practice adds a line to its history: whose history goes on where the other's ends came later. */
export function isBehind(earlier: string, later: string): boolean {
  const [before, after] = [historyOf(earlier), historyOf(later)]
  return before.length > 0 && before.length < after.length && before.every((line, at) => line === after[at])
}

function historyOf(content: string): string[] {
  const lines = bodyOf(content)
  const found = sectionsIn(lines).find(({ name }) => name === 'history')
  return found ? listOf(lines.slice(found.from + 1, found.to)) : []
}

function bodyOf(content: string): string[] {
  return (splitFile(content)?.body ?? content).split('\n')
}

/** The projects that it is for, however its person writes a list. Who names none is for all of them. */
export function projectsIn(content: string): string[] {
  const rows = splitFile(content)?.front?.split('\n') ?? []
  const at = rows.findIndex((row) => isField(row, 'projects'))
  if (at < 0) return []
  const rest = rows.slice(at + 1)
  const next = rest.findIndex((row) => !/^(?:[ \t]|- |-$|\])/.test(row))
  const value = [rows[at]!.slice(rows[at]!.indexOf(':') + 1), ...(next < 0 ? rest : rest.slice(0, next))].join('\n')
  return value.split(/[\s,[\]"']+/).filter((word) => word !== '' && word !== '-' && word !== 'null')
}

/** Whatever it says of itself: the id is what it travels by. */
export function withId(content: string, id: string): string {
  return withField(content, 'id', quoted(id))
}

export interface PracticeCopy {
  id: string
  content: string
}

export function copyOf(id: string, content: string): PracticeCopy {
  const mark = createHash('sha256').update(content).digest('hex').slice(0, 8)
  const copy = `${[...id].slice(0, 100).join('')}-${mark}`
  const told = withField(withField(content, 'id', quoted(copy)), 'status', 'retired')
  return {
    id: copy,
    content: withNote(
      told,
      `> Another version of the practice ${id}, written at the same time on another machine. Take over what is good in it, then delete this file.`,
    ),
  }
}

/** The line of a field in the head, in the place of the one that is there. */
function withField(content: string, name: string, value: string): string {
  const split = splitFile(content)
  if (split?.front === undefined) return [fence, `${name}: ${value}`, fence, '', content].join('\n')
  const lines = content.split('\n')
  const end = split.bodyLine - 2
  const at = lines.findIndex((line, index) => index > 0 && index < end && isField(line.trimEnd(), name))
  if (at < 0) lines.splice(end, 0, `${name}: ${value}`)
  else if (lines[at]!.trimEnd() !== `${name}: ${value}`) lines[at] = `${name}: ${value}`
  return lines.join('\n')
}

/** Another title, so that it has another name in every list, and a note below it. */
function withNote(content: string, note: string): string {
  const lines = content.split('\n')
  const from = (splitFile(content)?.bodyLine ?? 1) - 1
  const at = lines.findIndex((line, index) => index >= from && /^#[ \t]+\S/.test(line))
  if (at < 0) lines.splice(from, 0, '', note)
  else lines.splice(at, 1, `${lines[at]!.trimEnd()}, another version`, '', note)
  return lines.join('\n')
}
