// Renders practices for instruction files and skills: title and rule, without provenance.
import { createHash } from 'node:crypto'
import { redact } from '../../core/redact/redact.ts'
import { oneLine, truncate } from '../../text/truncate.ts'
import type { Practice } from '../types.ts'

/** Text of the block in an instruction file. */
export function renderRules(practices: readonly Practice[], around: PathContext): string {
  return ['## Practices', '', ...practices.map((practice) => ruleItem(practice, around))].join('\n')
}

/** Cursor rules are files with frontmatter. */
export function renderCursorRule(practices: readonly Practice[], around: PathContext): string {
  return `---\ndescription: Practices\nalwaysApply: true\n---\n\n${renderRules(practices, around)}`
}

/** Skills are loaded on demand: only name and description are in every session. */
export function renderSkill(practice: Practice, around: PathContext): string {
  const say = (text: string) => sanitiseForSharing(text, around)
  const title = oneLine(say(practice.title))
  const description = truncate(`${asSentence(title)} ${oneLine(say(practice.rule))}`, maxDescription)
  const steps = practice.steps.map((step, index) => {
    const number = `${index + 1}. `
    return (
      number +
      say(step)
        .split('\n')
        .join(`\n${' '.repeat(number.length)}`)
    )
  })
  return [
    '---',
    `name: ${skillName(practice)}`,
    `description: ${JSON.stringify(description)}`,
    '---',
    '',
    `# ${title}`,
    '',
    say(practice.rule),
    '',
    ...steps,
  ].join('\n')
}

/** Lower-case letters, digits and hyphens; the folder must have the same name. */
export function skillName({ id, path }: Practice): string {
  const slug = path.slice(path.lastIndexOf('/') + 1)
  const isPlain = /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug) && slug.length <= maxSlug
  return `recollect-${isPlain ? slug : createHash('sha256').update(id).digest('hex').slice(0, 12)}`
}

/** Agents read up to 1,024 characters, but all of it is in every session. */
const maxDescription = 400
/** Skill names are limited to 64 characters. */
const maxSlug = 50

function ruleItem(practice: Practice, around: PathContext): string {
  const title = oneLine(sanitiseForSharing(practice.title, around))
  const [first = '', ...more] = sanitiseForSharing(practice.rule, around).split('\n')
  const head = isSaidBy(first, title) ? `- ${first}` : `- **${asSentence(title)}** ${first}`
  return [head, ...more.map((line) => (line.trim() === '' ? '' : `  ${line}`))].join('\n')
}

function isSaidBy(rule: string, title: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[.!]+$/, '')
  return plain(rule) === plain(title)
}

function asSentence(title: string): string {
  return /[.!?:]$/.test(title) ? title : `${title}.`
}

interface PathContext {
  /** Home folder of the user. */
  home: string
  /** Root of the project; undefined for global practices. */
  root?: string | undefined
}

/** Instruction files go into repositories: removes secrets and paths of this machine. */
export function sanitiseForSharing(text: string, { home, root }: PathContext): string {
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
