// Practices as agents read them in every session: title and rule, and nothing that says where they come from.
import { createHash } from 'node:crypto'
import { oneLine, truncate } from '../../text/truncate.ts'
import type { Practice } from '../practice.ts'
import { type Surroundings, shareable } from './shareable.ts'

/** The text of the block in a file of instructions. */
export function renderRules(practices: readonly Practice[], around: Surroundings): string {
  return ['## Practices', '', ...practices.map((practice) => ruleItem(practice, around))].join('\n')
}

/** A rule of Cursor, which takes a file with a head for each. */
export function renderCursorRule(practices: readonly Practice[], around: Surroundings): string {
  return `---\ndescription: Practices\nalwaysApply: true\n---\n\n${renderRules(practices, around)}`
}

/** What an agent looks up when it needs it: only name and description stand in every session. */
export function renderSkill(practice: Practice, around: Surroundings): string {
  const say = (text: string) => shareable(text, around)
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

/** Agents take small letters, digits and hyphens, and the folder has to be called the same. */
export function skillName({ id, path }: Practice): string {
  const slug = path.slice(path.lastIndexOf('/') + 1)
  const isPlain = /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug) && slug.length <= maxSlug
  return `recollect-${isPlain ? slug : createHash('sha256').update(id).digest('hex').slice(0, 12)}`
}

/** Of the 1,024 characters that agents read; all of it stands in every session. */
const maxDescription = 400
/** Names have 64 characters at most. */
const maxSlug = 50

function ruleItem(practice: Practice, around: Surroundings): string {
  const title = oneLine(shareable(practice.title, around))
  const [first = '', ...more] = shareable(practice.rule, around).split('\n')
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
