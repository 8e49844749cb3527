// Patterns and practices as the page shows them. Reads only: decisions settle the catalogue.
import { type CatalogueProblem, readCatalogue } from '../patterns/catalogue.ts'
import { type QueuedPattern, reviewQueue } from '../patterns/review/queue.ts'
import type { Pattern, Practice } from '../patterns/types.ts'
import { NotFoundError, type PageRequest } from './request.ts'

export const patternTabs = ['open', 'approved', 'rejected', 'later', 'retired', 'other'] as const
export type PatternTab = (typeof patternTabs)[number]

/** A pattern with its practice, or one of them alone. */
export interface ListedPattern {
  id: string
  tab: PatternTab
  pattern: Pattern | undefined
  practice: Practice | undefined
  standing: QueuedPattern['standing'] | undefined
}

export interface PatternData {
  listed: ListedPattern[]
  practices: Practice[]
  /** Files of practices that cannot be read. */
  problems: CatalogueProblem[]
}

export async function loadPatterns({ app, ledger }: PageRequest): Promise<PatternData> {
  const { practices, problems } = await readCatalogue(app.layout)
  const queued = reviewQueue({ ledger, clock: app.clock, zone: app.zone }, practices)
  const known = new Set(queued.map(({ pattern }) => pattern.id))
  const alone = practices.filter(({ id }) => !known.has(id))
  return {
    practices,
    problems,
    listed: [
      ...queued.map(({ pattern, standing }) => ({
        id: pattern.id,
        tab: tabOf(standing, pattern.id),
        pattern,
        practice: standing.kind === 'practice' ? standing.practice : undefined,
        standing,
      })),
      ...alone.map((practice) => ({
        id: practice.id,
        tab: practice.status,
        pattern: undefined,
        practice,
        standing: { kind: 'practice' as const, practice },
      })),
    ],
  }
}

export function patternIn({ listed }: PatternData, { params }: PageRequest): ListedPattern {
  const found = listed.find(({ id }) => id === params.id)
  if (found) return found
  throw new NotFoundError(`There is no pattern ${params.id}`, 'It may no longer occur. Choose one from the list.')
}

/** A pattern whose subject another practice covers is not one of its own. */
function tabOf(standing: QueuedPattern['standing'], id: string): PatternTab {
  switch (standing.kind) {
    case 'waiting':
      return 'open'
    case 'practice':
      return standing.practice.id === id ? standing.practice.status : 'other'
    case 'decided':
      return standing.review.verdict === 'later' ? 'later' : 'rejected'
    case 'not proposed':
      return 'other'
    default:
      return standing satisfies never
  }
}
