import { spawn } from 'node:child_process'
import type { Machine } from '../core/paths.ts'

/** Does nothing where there is no browser: the link is printed as well. */
export function openInBrowser({ platform, env }: Machine, link: string): void {
  const command = commandFor(platform, env)
  if (!command) return
  const [program, ...args] = command
  const child = spawn(program!, [...args, link], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}

function commandFor(platform: NodeJS.Platform, env: Machine['env']): string[] | undefined {
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined
}
