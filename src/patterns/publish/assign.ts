// Which practice goes into which file: what holds in one project stays in its folder, what holds everywhere goes into the user's
// own files, and what an agent reads in the file of another is not told again in its own.
import { join } from 'node:path'
import type { InstructionFiles } from '../../agents/agent.ts'
import type { Practice } from '../practice.ts'
import { skillName } from './render.ts'

/** A project's folder, or the user's own files, with the agents that work there. */
export interface Place {
  /** Null for the user's own. */
  project: string | null
  /** Of the project. */
  root?: string
  agents: { id: string; files: InstructionFiles }[]
}

export type Form = 'block' | 'cursor rule' | 'skill'

export interface WantedFile {
  path: string
  form: Form
  project: string | null
  root?: string | undefined
  /** What is to stand there, and which agents are told by it. */
  entries: { practice: Practice; agents: string[] }[]
  /** We know what stands there now. */
  isRecorded?: boolean
}

/** `identityOf` says when two paths are one file: people link AGENTS.md and CLAUDE.md. */
export function assignPractices(
  practices: readonly Practice[],
  place: Place,
  identityOf: (path: string) => string,
): WantedFile[] {
  const files = new Map<string, WantedFile>()
  const told = (paths: string[], practice: Practice) =>
    paths.flatMap((path) => files.get(identityOf(path))?.entries ?? []).find((entry) => entry.practice === practice)
  for (const { id, files: own } of place.agents) {
    for (const practice of practices.filter((one) => holdsIn(one, place.project) && isFor(one, id))) {
      const { path, form, alsoReads } = targetOf(practice, own)
      const entry = told([path, ...alsoReads], practice)
      if (entry) {
        entry.agents.push(id)
        continue
      }
      const key = identityOf(path)
      const file = files.get(key) ?? { path, form, project: place.project, root: place.root, entries: [] }
      file.entries.push({ practice, agents: [id] })
      files.set(key, file)
    }
  }
  return [...files.values()]
}

function holdsIn({ projects }: Practice, project: string | null): boolean {
  return project === null ? projects.length === 0 : projects.includes(project)
}

function isFor({ agents }: Practice, agent: string): boolean {
  return agents.length === 0 || agents.includes(agent)
}

/** A way of doing something is a skill where the agent knows skills, else a rule like any other. */
function targetOf(
  practice: Practice,
  { rules, alsoReads, skills }: InstructionFiles,
): { path: string; form: Form; alsoReads: string[] } {
  if (practice.steps.length === 0 || !skills) return { ...rules, alsoReads }
  const inFolder = (folder: string) => join(folder, skillName(practice), 'SKILL.md')
  return { path: inFolder(skills.folder), form: 'skill', alsoReads: skills.alsoReads.map(inFolder) }
}
