// Assigns practices to files: those of a project to its folder, global ones to the user's own
// files. A practice that an agent reads in the file of another agent is not repeated in its own.
import { join } from 'node:path'
import type { InstructionFiles } from '../../agents/agent.ts'
import type { Practice } from '../types.ts'
import { skillName } from './render.ts'

/** A project folder or the user's own files, with the agents that work there. */
export interface PublishTarget {
  /** Null for the user's own files. */
  project: string | null
  /** Root of the project. */
  root?: string
  agents: { id: string; files: InstructionFiles }[]
}

export type FileForm = 'block' | 'cursor rule' | 'skill'

export interface DesiredFile {
  path: string
  form: FileForm
  project: string | null
  root?: string | undefined
  /** Desired practices, and the agents that read them there. */
  entries: { practice: Practice; agents: string[] }[]
  /** The ledger has a record of the current content. */
  isRecorded?: boolean
}

/** `identityOf` maps paths of the same file to one key: people link AGENTS.md and CLAUDE.md. */
export function assignPractices(
  practices: readonly Practice[],
  place: PublishTarget,
  identityOf: (path: string) => string,
): DesiredFile[] {
  const files = new Map<string, DesiredFile>()
  const findEntry = (paths: string[], practice: Practice) =>
    paths.flatMap((path) => files.get(identityOf(path))?.entries ?? []).find((entry) => entry.practice === practice)
  for (const { id, files: own } of place.agents) {
    for (const practice of practices.filter((one) => appliesInProject(one, place.project) && appliesToAgent(one, id))) {
      const { path, form, alsoReads } = destinationOf(practice, own)
      const entry = findEntry([path, ...alsoReads], practice)
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

function appliesInProject({ projects }: Practice, project: string | null): boolean {
  return project === null ? projects.length === 0 : projects.includes(project)
}

function appliesToAgent({ agents }: Practice, agent: string): boolean {
  return agents.length === 0 || agents.includes(agent)
}

/** A practice with steps becomes a skill where the agent supports skills, else a rule. */
function destinationOf(
  practice: Practice,
  { rules, alsoReads, skills }: InstructionFiles,
): { path: string; form: FileForm; alsoReads: string[] } {
  if (practice.steps.length === 0 || !skills) return { ...rules, alsoReads }
  const inFolder = (folder: string) => join(folder, skillName(practice), 'SKILL.md')
  return { path: inFolder(skills.folder), form: 'skill', alsoReads: skills.alsoReads.map(inFolder) }
}
