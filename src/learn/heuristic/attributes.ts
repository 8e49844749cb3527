// Derives the attributes of a learning besides its text: status, importance, tags. Rules cannot tell
// whether a statement also holds in other projects, so its scope is the project.
import type { Learning, MemoryKind, MemoryStatus } from '../../memory/memory.ts'
import type { Features } from './features.ts'

export type LearningAttributes = Pick<Learning, 'kind' | 'status' | 'scope' | 'importance' | 'tags' | 'score'>

export function attributesOf(kind: MemoryKind, features: Features, score: number): LearningAttributes {
  return {
    kind,
    status: statusOf(features),
    scope: 'project',
    importance: importanceOf(kind, features, score),
    score: Math.round(score * 1000) / 1000,
    tags: topics.filter((topic) => features.has(topic)),
  }
}

/** Marks a statement of the agent that the user agreed to, not the user's own words. */
export function withAgreedTag(nature: LearningAttributes): LearningAttributes {
  return { ...nature, tags: [...nature.tags, agreedTag] }
}

export const agreedTag = 'agreed'

const topics = ['testing', 'workflow', 'style', 'agent']

/** They say how a statement was recognised, not what it is about. */
export const heuristicTags: readonly string[] = [...topics, agreedTag]

function statusOf(features: Features): MemoryStatus {
  if (features.has('tried')) return 'tried-and-failed'
  return features.has('hedge') || features.has('hypothetical') ? 'hypothetical' : 'settled'
}

const baseImportance: Record<MemoryKind, number> = {
  correction: 0.8,
  preference: 0.75,
  decision: 0.7,
  fact: 0.65,
  debugging: 0.7,
  workaround: 0.7,
  operational: 0.7,
}

function importanceOf(kind: MemoryKind, features: Features, score: number): number {
  const isEmphatic = ['always', 'never', 'remember', 'fromNowOn', 'shouts', 'wishToRemember'].some((name) =>
    features.has(name),
  )
  const sure = score * 0.1
  return Math.round(Math.min(1, baseImportance[kind] + sure + (isEmphatic ? 0.05 : 0)) * 100) / 100
}
