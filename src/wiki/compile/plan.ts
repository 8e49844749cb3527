// Plans the articles of all projects before any is compiled, because articles link to those of
// other projects.
import { journalDays } from '../../journal/read-day.ts'
import type { Ledger } from '../../store/ledger.ts'
import { type ArticleTopic, articleTopics } from '../../store/wiki/compile-inputs.ts'
import { type ProjectPlan, planProject } from './compile.ts'
import { conceptsIn, loadProjectInput } from './load-input.ts'
import { projectsLinking } from './neighbours.ts'

interface BuildPlan {
  plans: ProjectPlan[]
  /** All existing and planned articles by rules, ordered by path. */
  placed: ArticleTopic[]
}

/**
 * Adds the projects that link to added or removed articles. `isAll` restores articles that a person
 * has deleted.
 */
export function planProjects(
  ledger: Ledger,
  projects: readonly (string | null)[],
  { isAll }: { isAll: boolean },
): BuildPlan {
  const { layout } = ledger
  const around = { written: new Set(journalDays(layout)), concepts: conceptsIn(layout) }
  const before = articleTopics(ledger)
  const plans: ProjectPlan[] = []
  let placed = isAll ? before.map((topic) => ({ ...topic, isDeleted: false })) : before
  const add = (project: string | null) => {
    const plan = planProject(loadProjectInput(ledger, project, { ...around, placed }))
    plans.push(plan)
    placed = [...placed.filter((topic) => topic.project !== project), ...plannedTopics(plan)]
  }
  for (const project of projects) add(project)
  for (const project of projectsLinking(before, placed)) if (!projects.includes(project)) add(project)
  return { plans, placed: placed.sort((a, b) => (a.path < b.path ? -1 : 1)) }
}

function plannedTopics({ input, places }: ProjectPlan): ArticleTopic[] {
  const { key: project, name } = input
  return [...places.values()].map((place) => ({ ...place, project, projectName: project === null ? '' : name }))
}
