// resume: sessions to continue, with where each was left off and the command that continues it.
import { existsSync } from 'node:fs'
import * as z from 'zod'
import { chooseSessions, type RecentSession, recentSession, recentSessions } from '../../brief/recent-sessions.ts'
import { sessionLines } from '../../brief/sessions.ts'
import { shortId } from '../../core/session.ts'
import { commandInFolder, ownCommand } from '../../core/shell/command-line.ts'
import { plural } from '../../core/units.ts'
import { evidenceNotice, tellName, wrapEvidence } from '../../gate/evidence.ts'
import { resumePlan } from '../../history/resume.ts'
import { ageText } from '../../memory/age.ts'
import type { Ledger } from '../../store/ledger.ts'
import { findSessions, listSessions, type SessionView } from '../../store/sessions/sessions.ts'
import { shortLine } from '../../text/truncate.ts'
import { allProjects, projectInput, requestedProject } from '../client-project.ts'
import { parseHitId, requireSession } from '../lookup.ts'
import type { ToolCall } from '../tool-result.ts'
import { type Hit, searchInSessions, speaker, toldSnippet } from './search.ts'

export const resumeInput = z.strictObject({
  query: z.string().min(1).max(4000).optional().describe('words that the session was about'),
  session: z.string().min(1).max(500).optional().describe('id of a session or of a search result, or a unique part'),
  project: projectInput,
  limit: z.int().min(1).max(10).default(3).describe('maximum number of sessions'),
})

type ResumeInput = z.infer<typeof resumeInput>

export async function resumeTool(call: ToolCall, input: ResumeInput): Promise<string> {
  const project = requestedProject(call, input.project)
  const found = (await findCandidates(call, input, project)).slice(0, input.limit)
  if (found.length === 0) return nothingText(input, project)
  const where = input.session === undefined ? (project ?? 'every project') : found[0]!.session.project
  const source = { resume: input.session ?? input.query ?? 'last work', project: where }
  return [
    evidenceNotice,
    wrapEvidence(source, found.map((candidate) => candidateText(call, candidate)).join('\n\n')),
    'A command after "continue" is for the user\'s terminal. To go on here instead: session_get with the id and #number.',
  ].join('\n\n')
}

interface ResumeCandidate {
  session: SessionView
  /** The best passage, if it was searched for. */
  hit?: Hit
}

async function findCandidates(
  call: ToolCall,
  { session, query, limit }: ResumeInput,
  project: string | undefined,
): Promise<ResumeCandidate[]> {
  const { ledger, source } = call
  if (session !== undefined)
    return [{ session: mainSession(ledger, requireSession(ledger, parseHitId(session).session)) }]
  const isOther = ({ session: { id } }: ResumeCandidate) => id !== source.session
  if (query !== undefined) return (await searchCandidates(call, query, project, limit)).filter(isOther)
  const chosen = project === undefined ? undefined : chooseSessions(recentSessions(ledger, project))
  const sessions = chosen
    ? [chosen.last, ...chosen.others].map((one) => one.session)
    : listSessions(ledger, { isConversation: true, limit: limit + 1, ...(project === undefined ? {} : { project }) })
  return sessions.map((one) => ({ session: one })).filter(isOther)
}

/** The sessions of the best passages, each once. */
async function searchCandidates(
  call: ToolCall,
  query: string,
  project: string | undefined,
  limit: number,
): Promise<ResumeCandidate[]> {
  const hits = await searchInSessions(call, {
    query,
    project: project ?? allProjects,
    limit: passagesPerSession * limit,
  })
  const found = new Map<string, ResumeCandidate>()
  for (const hit of hits) {
    if (hit.session === null) continue
    const session = mainSession(call.ledger, requireSession(call.ledger, hit.session))
    if (!found.has(session.id)) found.set(session.id, { session, hit })
  }
  return [...found.values()]
}

/** A session has many passages that match, and one is enough. */
const passagesPerSession = 10

/** A subagent cannot be continued, but the session that started it can. */
function mainSession(ledger: Ledger, session: SessionView): SessionView {
  const parent = session.parent === null ? undefined : findSessions(ledger, session.parent)[0]
  return session.lineage === 'subagent' && parent ? parent : session
}

function nothingText({ query }: ResumeInput, project: string | undefined): string {
  const where = project === undefined ? '' : ` in ${shortLine(project, 200)}`
  const others = project === undefined ? '' : `, or project "${allProjects}"`
  return query === undefined
    ? `No session${where} yet${others}.`
    : `No session found${where}. Try other words${others}.`
}

function candidateText(call: ToolCall, { session, hit }: ResumeCandidate): string {
  const { app, ledger } = call
  const later = session.project === null ? [] : laterThan(session, recentSessions(ledger, session.project))
  const recent = recentSession(ledger, session, later)
  const [summary, ...details] = recent
    ? sessionLines(ledger, app.zone, recent)
    : [`- ${session.agent}: ${shortLine(tellName(session.title ?? 'no title'), 100)} [${shortId(session.id)}]`]
  const last = recent?.signals.prompt?.seq
  const facts = [
    ageOf(session, app.clock.nowMs()),
    plural(session.counts.prompts, 'prompt'),
    session.projectName && `project ${shortLine(tellName(session.projectName), 60)}`,
    last !== undefined && `last prompt ${shortId(session.id)}#${last}`,
  ]
  return [
    summary,
    `  ${facts.filter(Boolean).join(', ')}`,
    ...(hit ? matchLines(hit, details) : []),
    ...details,
    `  continue: ${continueText(call, session)}`,
  ].join('\n')
}

/** Empty if the details say the same. */
function matchLines({ role, snippet }: Hit, details: readonly string[]): string[] {
  const text = shortLine(toldSnippet(role, snippet), 160)
  return details.some((line) => line.includes(text)) ? [] : [`  matches: ${speaker(role)}: ${text}`]
}

function laterThan({ id, ended }: SessionView, all: readonly RecentSession[]): RecentSession[] {
  return all.filter(({ session }) => session.id !== id && (session.ended ?? '') > (ended ?? ''))
}

/** The session that calls is captured, too, and few clients tell which one that is. */
const maybeThisMs = 15 * 60_000

function ageOf({ ended }: SessionView, nowMs: number): string {
  if (ended === null) return ''
  if (nowMs - Date.parse(ended) < maybeThisMs) return 'active in the last minutes (may be this session)'
  return ageText(ended, nowMs) || 'within a day'
}

function continueText({ app, ledger }: ToolCall, session: SessionView): string {
  const { id, agent, cwd, origin } = session
  if (origin !== null) return `only on ${shortLine(origin, 60)}, where it was captured`
  const plan = resumePlan(ledger, app.agents, session)
  if (!plan) return `${agent} has no command for it; ${ownCommand('handoff', shortId(id))} --to <agent>`
  if (plan.transcript === 'missing') return `${ownCommand('resume', shortId(id))} (restores its transcript first)`
  if (plan.transcript === 'lost') return `${ownCommand('handoff', shortId(id), '--to', agent)} (its transcript is gone)`
  const command = plan.command.join(' ')
  if (cwd === null || tellName(cwd) !== cwd) return command
  if (!existsSync(cwd)) return `${command} (its folder ${shortLine(cwd, 200)} does not exist here)`
  return commandInFolder(cwd, plan.command, app.machine.platform) ?? `${command} (in ${shortLine(cwd, 200)})`
}
