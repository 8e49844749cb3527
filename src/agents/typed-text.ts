// Tells apart what a person typed.

/** A slash command of the agent, or a prompt. A path is no command. */
export function typedKind(said: string): 'prompt' | 'command' {
  return /^\/[a-z][\w:-]*(?:\s|$)/.test(said) ? 'command' : 'prompt'
}
