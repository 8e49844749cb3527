// Every agent that Recollect reads. To add one: a folder beside this file, a line here, fixtures in
// test/agents. An agent that writes as another one does is a row in the table of that family.
import type { SourceFolders } from '../core/config/settings.ts'
import type { Agent } from './agent.ts'
import { aider } from './aider/agent.ts'
import { amp } from './amp/agent.ts'
import { antigravity } from './antigravity/agent.ts'
import { claudeFamily } from './claude-code/agent.ts'
import { cline, rooCode } from './cline/agent.ts'
import { codexFamily } from './codex/agent.ts'
import { continueDev } from './continue/agent.ts'
import { copilotCli } from './copilot-cli/agent.ts'
import { crush } from './crush/agent.ts'
import { cursor } from './cursor/agent.ts'
import { devin } from './devin/agent.ts'
import { droid } from './droid/agent.ts'
import { geminiCli } from './gemini-cli/agent.ts'
import { goose } from './goose/agent.ts'
import { gptme } from './gptme/agent.ts'
import { grok } from './grok/agent.ts'
import { hermes } from './hermes/agent.ts'
import { iflow } from './iflow/agent.ts'
import { kimi } from './kimi/agent.ts'
import { kiro } from './kiro/agent.ts'
import { openClaw } from './openclaw/agent.ts'
import { openCodeFamily } from './opencode/agent.ts'
import { piFamily } from './pi/agent.ts'
import { qwenCode } from './qwen-code/agent.ts'
import { qwenPaw } from './qwenpaw/agent.ts'
import { vibe } from './vibe/agent.ts'
import { vscodeCopilot } from './vscode-copilot/agent.ts'
import { windsurf } from './windsurf/agent.ts'
import { zed } from './zed/agent.ts'

export const agents: readonly Agent[] = [
  ...claudeFamily,
  ...codexFamily,
  grok,
  geminiCli,
  ...openCodeFamily,
  copilotCli,
  qwenCode,
  ...piFamily,
  aider,
  cursor,
  droid,
  kimi,
  cline,
  rooCode,
  goose,
  kiro,
  vibe,
  hermes,
  openClaw,
  crush,
  amp,
  qwenPaw,
  gptme,
  antigravity,
  windsurf,
  devin,
  iflow,
  zed,
  continueDev,
  vscodeCopilot,
]

/** With the agents that a configuration adds: unknown ones whose files have the format of a known one. */
export function agentsWith(sources: Readonly<Record<string, SourceFolders>>): readonly Agent[] {
  const added = Object.entries(sources).flatMap(([id, { format }]) => {
    const known = agents.find((agent) => agent.id === format)
    return known ? [{ id, name: id, roots: () => [], find: known.find }] : []
  })
  return added.length > 0 ? [...agents, ...added] : agents
}
