import type { Config, JudgeName } from '../core/config.ts'

/** Whether asking can cost money: then it needs consent, and counts for the limits of the day. */
export function isPaid(name: JudgeName, { models }: Config): boolean {
  switch (name) {
    case 'claude':
    case 'claude-fork':
    case 'anthropic':
      return true
    case 'openai':
      return !isOnThisMachine(models.openaiUrl)
    case 'ollama':
    case 'heuristic':
      return false
    default:
      return name satisfies never
  }
}

function isOnThisMachine(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(hostname)
}
