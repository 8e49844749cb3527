// All providers: those that answer questions, and those that make vectors.
import type { EmbeddingProviderName } from '../core/config/settings.ts'
import type { ProviderName } from './context.ts'
import { anthropic } from './providers/anthropic.ts'
import { claude } from './providers/claude.ts'
import { ollama, ollamaEmbeddings } from './providers/ollama.ts'
import { openai, openaiEmbeddings } from './providers/openai.ts'
import type { EmbeddingProvider, Provider } from './providers/provider.ts'

export const providers: Record<ProviderName, Provider> = { claude, anthropic, openai, ollama }

export const embeddingProviders: Record<EmbeddingProviderName, EmbeddingProvider> = {
  ollama: ollamaEmbeddings,
  openai: openaiEmbeddings,
}
