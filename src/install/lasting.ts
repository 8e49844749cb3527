import { UserError } from '../core/errors.ts'

/** What agents and schedulers are told to run has to be there tomorrow. */
export function checkLasting(cli: string): void {
  if (!/[\\/]_npx[\\/]/.test(cli)) return
  throw new UserError(
    'This recollect was started by npx and lies in its cache, which may be emptied',
    'Install it first: npm install -g recollect',
  )
}
