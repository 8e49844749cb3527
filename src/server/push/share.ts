// A share item: a rule that brings memories of a person's own space into another one, from now on, whatever becomes of them.
import { shareDocument } from '../../sync/documents.ts'
import { type Access, mayAct } from '../caller.ts'
import type { Rule, Target } from '../store/shares.ts'
import { type Refused, refuse, type Wanted } from './check.ts'
import { type Held, headOf } from './held.ts'
import { applies, isInTheWay } from './project.ts'

/** Called when the item itself may be written. Undefined: it holds. */
export function applyShare(held: Held, access: Access, { id, document }: Wanted): Refused | undefined {
  const others = held.rules.filter((rule) => rule.id !== id || rule.spaceId !== access.spaceId)
  if (document === null) {
    held.rules = others
    held.hasNewRules = true
    return undefined
  }
  if (others.length >= maxRules) return refuse(id, 'not allowed', `Nobody has more than ${maxRules} shares.`)
  const { subject, with: name, permission } = shareDocument.parse(document)
  const target = held.targets.get(name)
  if (!target)
    return refuse(id, 'invalid', `There is no ${name.startsWith('team:') ? 'team of yours' : 'user'} of that name.`)
  const refused = targetRefusal(access, id, target)
  if (refused) return refused
  const rule: Rule = {
    spaceId: access.spaceId,
    id,
    memory: subject.kind === 'memory' ? subject.id : null,
    tag: subject.kind === 'tag' ? subject.tag : null,
    toSpaceId: target.spaceId,
    permission,
    isOpen: true,
    projects: target.projects,
  }
  const inTheWay = [...held.heads.values()].find(
    (head) => applies(rule, head) && isInTheWay(headOf(held, rule.toSpaceId, head.id), rule.spaceId),
  )
  if (inTheWay) {
    return refuse(
      id,
      'not allowed',
      `${name} has an item of its own with the id ${inTheWay.id}, so it cannot be shared there.`,
    )
  }
  held.rules = [...others, rule]
  held.hasNewRules = true
  return undefined
}

/** Every push of a person looks at all of them, and locks all that they share with. */
const maxRules = 1000

function targetRefusal(access: Access, id: string, target: Target): Refused | undefined {
  if (target.userId === access.userId) return refuse(id, 'invalid', 'What is yours is shared with you already.')
  if (target.role && !mayAct(target.role, 'writer')) {
    return refuse(id, 'not allowed', 'You may read in this team, not write.')
  }
  return undefined
}
