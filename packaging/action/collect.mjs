// Collects the sessions that agents had in this job: a list, a handoff packet for each, and whole
// conversations if that is asked for. Recollect removes secrets while it reads. A session of another
// folder than the job's is left out: a runner of one's own may have the sessions of a person.
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const folder = process.argv[2]
const { RECOLLECT_HOME, GITHUB_WORKSPACE, GITHUB_OUTPUT, GITHUB_STEP_SUMMARY } = process.env
/** As the action has built it. */
const cli = join(import.meta.dirname, '..', '..', 'dist', 'cli.js')

mkdirSync(folder, { recursive: true })
try {
  recollect('sweep', '--judge', 'none', '--json')
  const sessions = JSON.parse(recollect('sessions', '--json') || '[]').filter(isOfJob)
  for (const { id } of sessions) {
    const name = id.replaceAll(/[^\w.-]/g, '-')
    recollect('handoff', id, '--packet', '--out', join(folder, `${name}.md`))
    if (process.env.INPUT_CONVERSATIONS === 'true') recollect('export', '--session', id, join(folder, `${name}.html`))
  }
  writeFileSync(join(folder, 'sessions.json'), `${JSON.stringify(sessions, null, 2)}\n`)
  if (GITHUB_STEP_SUMMARY && sessions.length > 0) appendFileSync(GITHUB_STEP_SUMMARY, summaryOf(sessions))
  if (GITHUB_OUTPUT) appendFileSync(GITHUB_OUTPUT, `sessions=${sessions.length}\n`)
  console.log(`${sessions.length} sessions`)
} finally {
  rmSync(RECOLLECT_HOME, { recursive: true, force: true })
}

/** Prints what the command says; only a list that finds nothing may exit with 1. */
function recollect(...args) {
  const { status, stdout, error } = spawnSync(process.execPath, [cli, ...args], {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (error) throw error
  if (status !== 0 && !(args[0] === 'sessions' && status === 1)) throw new Error(`${args[0]} ended with ${status}`)
  return stdout
}

function isOfJob({ cwd, parent }) {
  if (!cwd || parent) return false
  const path = relative(GITHUB_WORKSPACE, cwd)
  return path === '' || !/^(?:\.\.|[\\/]|[A-Za-z]:)/.test(path)
}

/** Titles are text of prompts: nothing in them may become Markdown or HTML. */
function summaryOf(sessions) {
  const cell = (text) =>
    String(text ?? '')
      .replaceAll(/[^\p{L}\p{N}.,:;?!/()_-]+/gu, ' ')
      .slice(0, 100)
      .trim()
  const usd = (cost, isLowerBound) => (cost === null ? '' : `${isLowerBound ? '≥ ' : ''}${cost.toFixed(2)}`)
  const rows = sessions.map(({ agent, title, outcome, costUsd, isCostLowerBound }) =>
    [agent, cell(title), cell(outcome), usd(costUsd, isCostLowerBound)].join(' | '),
  )
  return [
    '### Agent sessions',
    '',
    '| agent | task | outcome | USD |',
    '|---|---|---|---:|',
    ...rows.map((row) => `| ${row} |`),
    '',
  ].join('\n')
}
