// Plugins of OpenCode, as read and tried in OpenCode 1.18.33 and Kilo 7.7.7: a JavaScript file that
// runs inside the agent. It neither awaits nor catches errors of `event`, and an error in any other
// hook ends the turn, so the plugin swallows all errors.
import { join } from 'node:path'
import type { Machine } from '../../core/paths.ts'
import type { Hooks } from '../agent.ts'

const events: Hooks['events'] = {
  'session.created': 'start',
  'session.idle': 'turn',
  'session.compacting': 'compact',
  'session.compacted': 'compact',
  'session.deleted': 'end',
}

/** `home` exists if the agent is installed. */
export function pluginHooks(configFolder: (machine: Machine) => string, home: Hooks['home']): Hooks {
  return {
    events,
    brief: { before: '{"additionalContext":', after: '}' },
    summaryEvent: 'session.compacting',
    home,
    files(machine, command) {
      const commands = Object.fromEntries(Object.keys(events).map((event) => [event, command(event)]))
      const path = join(configFolder(machine), 'plugin', 'recollect.js')
      return [{ kind: 'own', path, content: plugin(JSON.stringify(commands, null, 2)) }]
    },
  }
}

// The file must not export anything else: every export is called as a plugin. `session.idle` also
// follows errors and cancellations. The system prompt is built for every call of the model and must
// always contain the same brief to stay in the provider's cache. The call for a title names no
// agent, only its own prompt. A resumed session was not created here, so its brief is requested
// late. After a compaction the cache is lost anyway, so the brief is requested again, with what was
// dropped.
function plugin(commands: string): string {
  return `// Written by \`recollect install\`, removed by \`recollect uninstall\`. It reports the start, idle and end
// of sessions to Recollect, adds Recollect's brief to the system prompt, and what a summary should keep
// to the request for it. It waits at most one second, after a compaction two.
import { spawn } from 'node:child_process'

const commands = ${commands}
const maxWaitMs = 1000
const maxCompactedWaitMs = 2000
const isForTitle = (text) => /^\\s*You are a title generator/.test(text)

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
        if (event.type === 'session.compacted') briefs.set(sessionID, askAgain(sessionID, cwd, briefs.get(sessionID)))
        if (event.type === 'session.deleted') briefs.delete(sessionID)
      } catch {}
    },
    'experimental.session.compacting': async ({ sessionID }, output) => {
      try {
        if (!sessionID || subagents.has(sessionID)) return
        const text = await answerTo('session.compacting', sessionID, directory, {}, maxWaitMs)
        if (text.trim()) output.context.push(text.trim())
      } catch {}
    },
    'experimental.chat.system.transform': async ({ sessionID }, output) => {
      try {
        if (!sessionID || subagents.has(sessionID) || output.system.some(isForTitle)) return
        if (!briefs.has(sessionID)) briefs.set(sessionID, ask(sessionID, directory))
        const brief = await briefs.get(sessionID)
        if (brief) output.system.push(brief)
      } catch {}
    },
  }
}

function run(event, session, cwd, stdout, more = {}) {
  const options = { cwd, shell: true, detached: true, windowsHide: true, stdio: ['pipe', stdout, 'ignore'] }
  const child = spawn(commands[event], options)
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify({ session_id: session, cwd, hook_event_name: event, ...more }))
  child.unref()
  return child
}

async function ask(session, cwd, source) {
  const more = source ? { source } : {}
  return textOf(await answerTo('session.created', session, cwd, more, source ? maxCompactedWaitMs : maxWaitMs))
}

async function askAgain(session, cwd, before) {
  return (await ask(session, cwd, 'compact')) || before || ''
}

function answerTo(event, session, cwd, more, waitMs) {
  return new Promise((resolve) => {
    let answer = ''
    const timer = setTimeout(() => resolve(''), waitMs)
    const finish = () => {
      clearTimeout(timer)
      resolve(answer)
    }
    try {
      const child = run(event, session, cwd, 'pipe', more)
      child.stdout.setEncoding('utf8')
      child.stdout.on('error', () => {})
      child.stdout.on('data', (part) => {
        answer += part
        if (answer.endsWith('\\n')) finish()
      })
      child.on('error', finish)
      child.on('close', finish)
    } catch {
      finish()
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
