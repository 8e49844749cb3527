import type { Config } from '../core/config/config.ts'
import type { JudgeName } from '../core/config/settings.ts'
import type { Machine } from '../core/paths.ts'
import { ollamaUrl } from './providers/ollama-url.ts'

/** Whether a call can cost money: then it needs consent and counts for the daily limits. */
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

/**
 * Whether the user must allow it first: it costs money, text leaves the machine, or it is an Ollama
 * that config.toml does not name. Any program of this machine may listen on Ollama's port.
 */
export function needsConsent(name: JudgeName, config: Config, machine: Machine): boolean {
  if (isPaid(name, config)) return true
  if (name !== 'ollama') return false
  return !config.models.isOllamaChosen || !isOnThisMachine(ollamaUrl(machine.env.OLLAMA_HOST ?? ''))
}

function isOnThisMachine(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(hostname)
}
