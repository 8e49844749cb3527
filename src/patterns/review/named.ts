// A pattern or practice by its id, or by the beginning of it.
import { UserError } from '../../core/errors.ts'
import { nearest } from '../../core/nearest.ts'
import { detectedPatterns } from '../../store/patterns.ts'
import { listReviews } from '../../store/reviews.ts'
import type { Catalogue } from '../catalogue.ts'
import type { Pattern } from '../pattern.ts'
import type { Practice } from '../practice.ts'
import type { ReviewContext } from './lock.ts'
import { type QueuedPattern, reviewQueue } from './queue.ts'
import { settleCatalogue } from './settle.ts'

/** Of whatever was detected, decided or written. */
export async function fullId(context: ReviewContext, id: string): Promise<string> {
  return idAmong(id, idsOf(context, (await settleCatalogue(context)).practices))
}

export async function queuedNamed(
  context: ReviewContext,
  id: string,
): Promise<{ queued: QueuedPattern; practices: Practice[] }> {
  const { practices } = await settleCatalogue(context)
  const queue = reviewQueue(context, practices)
  const full = idAmong(
    id,
    queue.map(({ pattern }) => pattern.id),
  )
  return { queued: queue.find(({ pattern }) => pattern.id === full)!, practices }
}

/** Also by the name of its file. */
export async function practiceNamed(
  context: ReviewContext,
  name: string,
): Promise<Practice & { catalogue: Catalogue }> {
  const catalogue = await settleCatalogue(context)
  const plain = name.replace(/^practices\//, '').replace(/\.md$/, '')
  const byFile = catalogue.practices.find(({ path }) => path === `practices/${plain}`)
  const ids = catalogue.practices.map(({ id }) => id)
  const found = byFile ?? catalogue.practices.find(({ id }) => id === idAmong(name, ids))
  return { ...found!, catalogue }
}

function idsOf({ ledger }: ReviewContext, practices: readonly Practice[]): string[] {
  return [
    ...detectedPatterns<Pattern>(ledger).map(({ id }) => id),
    ...practices.map(({ id }) => id),
    ...listReviews(ledger).map(({ pattern }) => pattern),
  ]
}

function idAmong(id: string, ids: readonly string[]): string {
  const known = [...new Set(ids)]
  if (known.includes(id)) return id
  const fitting = known.filter((one) => one.startsWith(id))
  if (fitting.length === 1) return fitting[0]!
  if (fitting.length > 1)
    throw new UserError(`"${id}" fits ${fitting.length} of them`, `Which one? ${fitting.join(', ')}`)
  const suggestion = nearest(id, known)
  throw new UserError(
    `There is no "${id}"`,
    suggestion ? `Did you mean ${suggestion}?` : 'See: recollect patterns review --list, recollect patterns list',
    1,
  )
}
