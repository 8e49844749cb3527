// Long sessions with everything in them that a model service is strict about, and how each client is brought to have them:
// screenshots, signed thinking that names a secret, parallel calls, failures, a subagent, a compaction, over 500 events.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { claude } from './agents/claude.ts'
import { codex } from './agents/codex.ts'
import { copilot } from './agents/copilot.ts'
import { gemini } from './agents/gemini.ts'
import { pi } from './agents/pi.ts'
import { qwen } from './agents/qwen.ts'
import { type Answer, call, delegate, run, type ToolCall, text, thinking } from './api.ts'
import type { Client, Home } from './client.ts'
import { jpeg, png, webp } from './pictures.ts'
import { anthropic, delegated } from './protocols/anthropic.ts'
import { responses } from './protocols/responses.ts'

export interface EventfulClient {
  name: string
  client: Client
  /** The client's own tool that shows a picture to the model. */
  look(path: string): ToolCall
  shell(command: string): ToolCall
  /** The calls of a subagent, and what it says; missing if the client has none. */
  delegate?: Answer[]
  /** Missing if the client compacts only in its terminal. */
  compact?: { prompt: string } | { answers: Answer[] }
  /** Further arguments. */
  more?: string[]
  /** The client keeps one file of lines per session. */
  isRestored: boolean
}

const bash = (command: string): ToolCall => ({ name: 'bash', input: { command, description: 'Run it' } })
const googleShell = (command: string): ToolCall => ({ name: 'run_shell_command', input: { command } })
const readFile = (file_path: string): ToolCall => ({ name: 'read_file', input: { file_path } })
const readWithPi = (path: string): ToolCall => ({ name: 'read', input: { path } })
const full = [run('echo the window is full', true), text('Done.')]
/** Pi looks at the window when a turn has ended. */
const fullAtEnd: Answer[] = [{ ...text('Done.'), full: true }]
const subagent = { description: 'Look into it', prompt: `${delegated}, count the files.` }

export const eventfulClients: EventfulClient[] = [
  {
    name: 'Claude Code',
    client: claude,
    look: (file_path) => ({ name: 'Read', input: { file_path } }),
    shell: (command) => ({ ...bash(command), name: 'Bash' }),
    delegate: [delegate(subagent.prompt)],
    compact: { prompt: '/compact' },
    isRestored: true,
  },
  {
    name: 'Codex',
    client: codex,
    look: (path) => ({ name: 'view_image', input: { path } }),
    shell: (cmd) => ({ name: 'exec_command', input: { cmd } }),
    delegate: [delegate(subagent.prompt)],
    compact: { answers: full },
    more: ['-c', 'features.multi_agent_v2=true'],
    isRestored: true,
  },
  {
    name: 'Gemini CLI',
    client: gemini,
    look: readFile,
    shell: googleShell,
    compact: { answers: full },
    isRestored: false,
  },
  {
    name: 'Qwen Code',
    client: seeing(qwen),
    look: readFile,
    shell: googleShell,
    delegate: [call({ name: 'agent', input: { ...subagent, subagent_type: 'general-purpose' } }), text('One file.')],
    compact: { answers: full },
    isRestored: true,
  },
  {
    name: 'Copilot CLI',
    client: {
      ...copilot,
      env: (at, url) => ({ ...copilot.env(at, url), COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '100000' }),
    },
    look: (path) => ({ name: 'view', input: { path } }),
    shell: bash,
    delegate: [call({ name: 'task', input: { ...subagent, agent_type: 'general-purpose' } }), text('One file.')],
    // It compacts in the background: where the machine is quick, the run ends before. Its compactions are
    // tested on files (handoff/conversation.test.ts).
    isRestored: true,
  },
  {
    name: 'Copilot CLI with Anthropic',
    client: {
      ...copilot,
      protocol: anthropic,
      env: (at, url) => ({
        ...copilot.env(at, url),
        COPILOT_PROVIDER_TYPE: 'anthropic',
        COPILOT_PROVIDER_BASE_URL: url,
        COPILOT_MODEL: 'claude-sonnet-4.5',
      }),
    },
    look: (path) => ({ name: 'view', input: { path } }),
    shell: bash,
    isRestored: true,
  },
  {
    name: 'Pi',
    client: piAt('openai-completions', '/v1'),
    look: readWithPi,
    shell: bash,
    compact: { answers: fullAtEnd },
    isRestored: true,
  },
  {
    name: 'Pi with Anthropic',
    client: { ...piAt('anthropic-messages', ''), protocol: anthropic },
    look: readWithPi,
    shell: bash,
    compact: { answers: fullAtEnd },
    isRestored: true,
  },
  {
    name: 'Pi with Responses',
    client: { ...piAt('openai-responses', '/v1'), protocol: responses },
    look: readWithPi,
    shell: bash,
    compact: { answers: fullAtEnd },
    isRestored: true,
  },
]

/** Qwen Code sends pictures only to a model that is known to see them. Its window is full with what a scripted answer says. */
function seeing(client: Client): Client {
  const path = '.qwen/settings.json'
  const generationConfig = { modalities: { image: true }, contextWindowSize: 100_000 }
  const settings = (at: Home, url: string) => {
    const own = JSON.parse(client.settings(at, url)[path]!) as object
    return { [path]: JSON.stringify({ ...own, model: { generationConfig } }) }
  }
  return { ...client, settings }
}

/** Its window is full with what a scripted answer says, and little of a conversation stays behind a summary. */
function piAt(api: string, path: string): Client {
  const models = '.pi/agent/models.json'
  const settings = (at: Home, url: string) => {
    const own = pi.settings(at, url)[models]!
    return {
      [models]: own
        .replace('openai-completions', api)
        .replace(`${url}/v1`, `${url}${path}`)
        .replace('"contextWindow":128000', '"contextWindow":110000'),
      '.pi/agent/settings.json': '{"compaction":{"keepRecentTokens":2000}}',
    }
  }
  return { ...pi, settings }
}

/** Built from parts, so that secret scanners do not report this file. */
export const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`

export const pictures = [
  { name: 'screen.png', ...png(320, 200, 'a screen') },
  { name: 'small.png', ...png(1, 1, 'a point') },
  { name: 'photo.jpg', ...jpeg(40_000, 'a photo') },
  { name: 'drawing.webp', ...webp(9000, 'a drawing') },
]

export function writePictures({ project }: Home): void {
  for (const { name, bytes } of pictures) writeFileSync(join(project, name), bytes)
}

/** Over 500 events: each call has a result. */
const rounds = 26
const callsInRound = 10

/** What the model says in the first turn. */
export function longTurn({ look, shell, delegate: handOn = [] }: EventfulClient, { project }: Home): Answer[] {
  const looks = pictures.map(({ name }) => look(join(project, name)))
  const round = (number: number) =>
    Array.from({ length: callsInRound }, (_, index) => shell(`echo step ${number} ${index}`))
  return [
    thinking(`The person has told the token ${secret}; it is not needed.`, call(...looks, shell('exit 3'))),
    thinking('Now step by step.', call(shell('true'), shell(`echo lighthouses blink`))),
    ...Array.from({ length: rounds }, (_, number) => thinking(`Round ${number}.`, call(...round(number)))),
    ...handOn,
    thinking('That is all.', text('The screen shows that lighthouses blink.')),
  ]
}
