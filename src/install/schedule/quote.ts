// Quotes a string for each of the foreign formats.
import { quoteArgument } from '../../core/shell/command-line.ts'

/** For sh; without quotes where none are needed. */
export function forShell(text: string): string {
  return quoteArgument(text, 'sh')!
}

/**
 * For a crontab line. cron reads % as a line end and removes a backslash before it; a cron without
 * that rule passes both to sh, which removes the backslash outside of quotes.
 */
export function forCron(text: string): string {
  return forShell(text).replaceAll('%', `'\\%'`)
}

/** For systemd: C-like quoting; % starts a specifier. */
export function forSystemd(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%')}"`
}

/** For an argument of ExecStart, where $ starts a variable. */
export function forSystemdArgument(text: string): string {
  return forSystemd(text).replaceAll('$', '$$$$')
}

export function forXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/**
 * For a Windows command line. Paths contain no quotes; trailing backslashes would escape the
 * closing one.
 */
export function forWindows(text: string): string {
  return `"${text.replace(/\\+$/, '$&$&')}"`
}

/** For `node --env-file`: in double quotes, `\n` in a path would become a line break. */
export function forEnvFile(text: string): string {
  return text.includes("'") ? `\`${text}\`` : `'${text}'`
}
