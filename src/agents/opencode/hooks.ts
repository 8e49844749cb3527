// OpenCode, plugins as read and tried in 1.18.33: a JavaScript file that runs inside the agent. Nobody awaits or catches what
// its `event` does, and an error in any other hook ends the turn, so the plugin swallows everything.
import { join } from 'node:path'
import type { Machine } from '../../core/paths.ts'
import type { Hooks } from '../agent.ts'

export const openCodeHooks: Hooks = {
  events: {
    'session.created': 'start',
    'session.idle': 'turn',
    'session.compacted': 'compact',
    'session.deleted': 'end',
  },
  brief: { before: '{"additionalContext":', after: '}' },
  // OpenCode fetches this package by itself, but waits for it only where there is a plugin: without a network, for ever.
  home: (machine) => join(configFolder(machine), 'node_modules', '@opencode-ai', 'plugin'),
  files(machine, command) {
    const commands = Object.fromEntries(Object.keys(openCodeHooks.events).map((event) => [event, command(event)]))
    const path = join(configFolder(machine), 'plugin', 'recollect.js')
    return [{ kind: 'own', path, content: plugin(JSON.stringify(commands, null, 2)) }]
  },
}

function configFolder({ home, env }: Machine): string {
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode')
}

// It may export nothing but the plugin: every export is called as one. `session.idle` also follows an error and a cancel.
// The system prompt is made for every call of the model, that for a title too, and always with the same brief: a prompt that
// changes is not found in the provider's cache. A session that goes on was not created here: its brief is asked for late.
function plugin(commands: string): string {
  return `// Made by \`recollect install\`, taken away by \`recollect uninstall\`. It tells Recollect when a session starts, rests or ends,
// and adds Recollect's brief to the system prompt. It waits for nothing but the brief, and for that a second at most.
import { spawn } from 'node:child_process'

const commands = ${commands}
const mostWaitMs = 1000

export const Recollect = async ({ directory }) => {
  const subagents = new Set()
  const briefs = new Map()

  return {
    event: async ({ event }) => {
      try {
        const { info, sessionID = info?.id } = event.properties ?? {}
        if (info?.parentID) subagents.add(info.id)
        if (!sessionID || !commands[event.type] || subagents.has(sessionID)) return
        const cwd = info?.directory ?? directory
        if (event.type === 'session.created') briefs.set(sessionID, ask(sessionID, cwd))
        else run(event.type, sessionID, cwd, 'ignore')
        if (event.type === 'session.deleted') briefs.delete(sessionID)
      } catch {}
    },
    'experimental.chat.system.transform': async ({ sessionID }, output) => {
      try {
        if (!sessionID || subagents.has(sessionID)) return
        if (!briefs.has(sessionID)) briefs.set(sessionID, ask(sessionID, directory))
        const brief = await briefs.get(sessionID)
        if (brief) output.system.push(brief)
      } catch {}
    },
  }
}

function run(event, session, cwd, stdout) {
  const options = { cwd, shell: true, detached: true, windowsHide: true, stdio: ['pipe', stdout, 'ignore'] }
  const child = spawn(commands[event], options)
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify({ session_id: session, cwd, hook_event_name: event }))
  child.unref()
  return child
}

function ask(session, cwd) {
  return new Promise((resolve) => {
    let answer = ''
    const timer = setTimeout(() => resolve(''), mostWaitMs)
    const settle = () => {
      clearTimeout(timer)
      resolve(textOf(answer))
    }
    try {
      const child = run('session.created', session, cwd, 'pipe')
      child.stdout.setEncoding('utf8')
      child.stdout.on('error', () => {})
      child.stdout.on('data', (part) => {
        answer += part
        if (answer.endsWith('\\n')) settle()
      })
      child.on('error', settle)
      child.on('close', settle)
    } catch {
      settle()
    }
  })
}

function textOf(answer) {
  try {
    const { additionalContext } = JSON.parse(answer)
    return typeof additionalContext === 'string' ? additionalContext : ''
  } catch {
    return ''
  }
}
`
}
