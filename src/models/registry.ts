import { anthropic } from './anthropic.ts'
import { claude } from './claude.ts'
import type { ProviderName } from './model.ts'
import { ollama } from './ollama.ts'
import { openai } from './openai.ts'
import type { Provider } from './provider.ts'

export const providers: Record<ProviderName, Provider> = { claude, anthropic, openai, ollama }
