// Every agent that Recollect reads. To add one: a folder beside this file, a line here, fixtures in
// test/agents.
import type { Agent } from './agent.ts'
import { aider } from './aider/agent.ts'
import { antigravity } from './antigravity/agent.ts'
import { claudeCode } from './claude-code/agent.ts'
import { cline, rooCode } from './cline/agent.ts'
import { codex } from './codex/agent.ts'
import { copilotCli } from './copilot-cli/agent.ts'
import { cursor } from './cursor/agent.ts'
import { devin } from './devin/agent.ts'
import { droid } from './droid/agent.ts'
import { geminiCli } from './gemini-cli/agent.ts'
import { goose } from './goose/agent.ts'
import { grok } from './grok/agent.ts'
import { kimi } from './kimi/agent.ts'
import { openCode } from './opencode/agent.ts'
import { pi } from './pi/agent.ts'
import { qwenCode } from './qwen-code/agent.ts'
import { windsurf } from './windsurf/agent.ts'

export const agents: readonly Agent[] = [
  claudeCode,
  codex,
  grok,
  geminiCli,
  openCode,
  copilotCli,
  qwenCode,
  pi,
  aider,
  cursor,
  droid,
  kimi,
  cline,
  rooCode,
  goose,
  antigravity,
  windsurf,
  devin,
]
