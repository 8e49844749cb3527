// One text, as each of the foreign formats wants it written.
import { shellQuote } from '../../core/hook-command.ts'

/** For sh; what needs no quotes gets none. */
export function forShell(text: string): string {
  return /^[\w@+:,./-]+$/.test(text) ? text : shellQuote(text)
}

/**
 * For a line of a crontab. A bare % is a line end to cron, which takes the backslash before it away; a cron that knows no
 * such rule leaves both to sh, which does the same outside of quotes.
 */
export function forCron(text: string): string {
  return forShell(text).replaceAll('%', `'\\%'`)
}

/** For systemd: C-like quoting, and % begins a specifier. */
export function forSystemd(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%')}"`
}

/** An argument of ExecStart, where $ begins a variable as well. */
export function forSystemdArgument(text: string): string {
  return forSystemd(text).replaceAll('$', '$$$$')
}

export function forXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** For a Windows command line. A path there has no quotes; backslashes before the closing one would hide it. */
export function forWindows(text: string): string {
  return `"${text.replace(/\\+$/, '$&$&')}"`
}

/** For `node --env-file`: double quotes would turn `\n` of a path into a line end. */
export function forEnvFile(text: string): string {
  return text.includes("'") ? `\`${text}\`` : `'${text}'`
}
