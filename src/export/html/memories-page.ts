import { shortId } from '../../core/session.ts'
import { plural } from '../../core/units.ts'
import { againstText, attributionText } from '../../memory/attribution.ts'
import type { Memory } from '../../memory/memory.ts'
import { relativeUrl } from '../urls.ts'
import { escaped, prose } from './escape.ts'
import { fileOfDay, fileOfMemories } from './links.ts'
import type { SitePage } from './page.ts'
import { projectName, type Site } from './parts.ts'

export function memoriesPage(site: Site, project: string | null, memories: readonly Memory[]): SitePage {
  const file = fileOfMemories(project)
  const title = `${projectName(site, project)}: memories`
  const holding = memories.filter(({ state, supersededBy }) => state === 'kept' && supersededBy === null)
  const waiting = memories.filter(({ state }) => state === 'inbox')
  const former = memories.filter(({ state, supersededBy }) => state === 'kept' && supersededBy !== null)
  const kinds = Map.groupBy(holding, ({ kind }) => kind)
  const list = (some: readonly Memory[]) => some.map((memory) => memoryItem(site, file, memory)).join('\n')
  const main = [
    `<h1>${escaped(title)}</h1>`,
    `<p class="facts">${plural(holding.length, 'memory holds', 'memories hold')}; each says whose word it is and where it is from.</p>`,
    ...[...kinds].map(([kind, some]) => `<h2>${headings[kind]}</h2>\n${list(some)}`),
    waiting.length === 0 ? '' : `<h2>Waiting for a decision</h2>\n${list(waiting)}`,
    former.length === 0
      ? ''
      : `<h2>Former</h2>\n<details><summary>${plural(former.length, 'memory', 'memories')} that no longer ${former.length === 1 ? 'holds' : 'hold'}</summary>\n${list(former)}</details>`,
  ]
  return { file, title, main: main.filter((part) => part !== '').join('\n') }
}

const headings: Readonly<Record<Memory['kind'], string>> = {
  correction: 'Corrections',
  preference: 'Preferences',
  decision: 'Decisions',
  fact: 'Facts',
  debugging: 'Causes that were found',
  workaround: 'Workarounds',
  operational: 'How things are run',
}

function memoryItem(site: Site, file: string, memory: Memory): string {
  const { id, text, why, apply, doubt } = memory
  const parts = [
    `<p>${prose(text)}</p>`,
    why && !text.includes(why) ? `<p><strong>Why:</strong> ${prose(why)}</p>` : '',
    apply ? `<p><strong>How to apply:</strong> ${prose(apply)}</p>` : '',
    doubt ? `<p class="mark">Doubtful: ${prose(doubt)}</p>` : '',
    `<p class="facts">${factsOf(site, file, memory).join(' · ')}</p>`,
  ]
  return `<div class="memory" id="${escaped(id)}">${parts.filter((part) => part !== '').join('\n')}</div>`
}

function factsOf(site: Site, file: string, memory: Memory): string[] {
  const { id, status, confirmedAt, supersededBy, supersededAt, evidence, project } = memory
  const sessions = [...new Set(evidence.flatMap(({ session }) => session ?? []))]
  const later = supersededBy && `<a href="#${encodeURIComponent(supersededBy)}">${escaped(supersededBy)}</a>`
  const isHere = supersededBy !== null && site.memoryProjects.get(supersededBy) === project
  return [
    escaped(attributionText(memory)),
    escaped(againstText(memory)),
    status === 'settled' ? '' : status === 'hypothetical' ? 'not settled' : 'tried and failed',
    confirmedAt.slice(0, 10),
    ...sessions.slice(0, maxSessions).map((session) => sessionLink(site, file, session)),
    sessions.length > maxSessions ? `and ${plural(sessions.length - maxSessions, 'session')} more` : '',
    supersededBy ? `superseded ${supersededAt?.slice(0, 10) ?? ''} by ${isHere ? later : escaped(supersededBy)}` : '',
    `<code>${escaped(id)}</code>`,
  ].filter((fact) => fact !== '')
}

const maxSessions = 3

function sessionLink({ material, days }: Site, file: string, session: string): string {
  const words = `${escaped(session.slice(0, session.indexOf(':')))} ${escaped(shortId(session))}`
  const day = material.dayOf.get(session)
  return day !== undefined && days.has(day) ? `<a href="${relativeUrl(file, fileOfDay(day))}">${words}</a>` : words
}
