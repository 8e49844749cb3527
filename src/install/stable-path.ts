import { UserError } from '../core/errors.ts'

/**
 * Refuses a program path in the npx cache: agents and schedulers would run it after it was deleted.
 */
export function requireStablePath(cli: string): void {
  if (!/[\\/]_npx[\\/]/.test(cli)) return
  throw new UserError(
    'This recollect was started by npx and is in its cache, which may be deleted',
    'Install it first: see docs/install.md, or run: recollect help install',
  )
}
