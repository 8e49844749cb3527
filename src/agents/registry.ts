// Every agent that Recollect reads. To add one: a folder beside this file, a line here, fixtures in
// test/agents. An agent that writes as another one does is a row in the table of that family.
import type { Agent } from './agent.ts'
import { aider } from './aider/agent.ts'
import { claudeFamily } from './claude-code/agent.ts'
import { cline, rooCode } from './cline/agent.ts'
import { codexFamily } from './codex/agent.ts'
import { copilotCli } from './copilot-cli/agent.ts'
import { cursor } from './cursor/agent.ts'
import { droid } from './droid/agent.ts'
import { geminiCli } from './gemini-cli/agent.ts'
import { goose } from './goose/agent.ts'
import { grok } from './grok/agent.ts'
import { iflow } from './iflow/agent.ts'
import { kimi } from './kimi/agent.ts'
import { openCodeFamily } from './opencode/agent.ts'
import { piFamily } from './pi/agent.ts'
import { qwenCode } from './qwen-code/agent.ts'

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
  iflow,
]
