import { UserError } from '../core/errors.ts'

/** Users and teams are named in the URLs and settings of others: letters and digits that cannot be mistaken. */
export function checkName(what: 'user' | 'team', name: string): void {
  if (/^[a-z0-9][a-z0-9-]{0,62}$/.test(name)) return
  throw new UserError(
    `This cannot be the name of a ${what}`,
    'A name has small letters, digits and hyphens, begins with a letter or a digit, and is at most 63 long.',
  )
}
