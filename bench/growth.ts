// Measures how the cost of commands and of the page grows with the number of sessions: homes of
// sessions that are recombined from exchanges of public transcripts, each ten or five times the one
// before.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { filesBelow } from './home.ts'
import { type BenchOptions, measure, median, peakMemoryArgs } from './measure.ts'
import { firstLine, peakMiB } from './page.ts'
import { type Exchange, publicExchanges, writeDistractors } from './pile.ts'

const defaultSizes = [1000, 10_000, 50_000]
const rounds = 7
/** Goal for a command in the largest home, on a machine without other load. */
const maxMs = 150

export async function growth({ sessions }: BenchOptions): Promise<void> {
  const sizes = sessions === undefined ? defaultSizes : [Number(sessions)]
  const exchanges = await publicExchanges()
  const columns: Figures[] = []
  for (const size of sizes) {
    console.log(`${size} sessions ...`)
    columns.push(await figuresOf(exchanges, size))
  }
  printTable(sizes, columns)
}

/** Values by their names, which have their unit. */
type Figures = Map<string, number>

async function figuresOf(exchanges: readonly Exchange[], size: number): Promise<Figures> {
  const root = mkdtempSync(join(tmpdir(), 'recollect-bench-growth-'))
  try {
    const home = join(root, 'home')
    writeDistractors(home, exchanges, size)
    const env = { HOME: home, RECOLLECT_HOME: join(root, 'store') }
    return new Map([...fill(env), ...measureCommands(env), ...(await measureScreen(env)), ...(await measurePage(env))])
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const cli = join(import.meta.dirname, '..', 'dist', 'cli.js')

function fill(env: Record<string, string>): Figures {
  const [swept] = measure([{ name: 'first sweep', args: [...peakMemoryArgs, cli, 'sweep'], env }], 1)
  const bytes = filesBelow(env.RECOLLECT_HOME!).reduce((sum, path) => sum + statSync(path).size, 0)
  return new Map([
    ['first sweep, s', swept!.ms / 1000],
    ['its peak memory, MB', swept!.maxRssMb],
    ['store, MB', bytes / 1e6],
  ])
}

function measureCommands(env: Record<string, string>): Figures {
  const commands: [name: string, args: string[]][] = [
    ['sweep without changes', ['sweep']],
    ['first screen and its sweep', []],
    ['status', ['status']],
    ['sessions', ['sessions']],
    ['search', ['search', 'why does the login test fail']],
    ['recall', ['recall', 'why does the login test fail']],
    ['brief', ['brief', '--project', 'project7']],
  ]
  const bare = { name: 'node -e 0, ms', args: ['-e', '0'] }
  const variants = commands.map(([name, args]) => ({ name: `${name}, ms`, args: [cli, ...args], env }))
  measure(variants, 2) // writes the caches of code
  const [sweep] = measure([{ name: 'sweep', args: [...peakMemoryArgs, cli, 'sweep'], env }], 1)
  return new Map([
    ...measure([bare, ...variants], rounds).map(({ name, ms }): [string, number] => [name, ms]),
    ['memory of a sweep without changes, MB', sweep!.maxRssMb],
  ])
}

/** Until the overview is printed; a sweep follows it. */
async function measureScreen(env: Record<string, string>): Promise<Figures> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now()
    const child = spawn(process.execPath, [cli], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exit = once(child, 'exit')
    let text = ''
    for await (const chunk of child.stdout) {
      const wasShown = text.includes(sweepFollows)
      text += chunk
      if (!wasShown && text.includes(sweepFollows)) times.push(performance.now() - begun)
    }
    await exit
  }
  return new Map([['first screen, ms', median(times)]])
}

const sweepFollows = 'Looking for new sessions'

async function measurePage(env: Record<string, string>): Promise<Figures> {
  const server = spawn(process.execPath, [cli, 'serve', '--port', '0', '--no-open'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const link = await firstLine(server.stdout)
    const entered = await fetch(link, { redirect: 'manual' })
    const cookie = entered.headers.get('set-cookie')!.split(';')[0]!
    const timeOf = async (path: string) => {
      const begun = performance.now()
      const answer = await fetch(new URL(path, link), { headers: { cookie } })
      await answer.text()
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
      return performance.now() - begun
    }
    const figures: Figures = new Map([['page, first request, ms', await timeOf('/')]])
    for (const path of ['/', '/sessions', '/search?q=why+does+the+login+test+fail']) {
      const times: number[] = []
      for (let round = 0; round < rounds; round++) times.push(await timeOf(path))
      figures.set(`page ${path.replace(/\?.*/, '')}, ms`, median(times))
    }
    if (process.platform === 'linux') figures.set('memory of the page, MB', peakMiB(server.pid!))
    return figures
  } finally {
    server.kill('SIGINT')
    await once(server, 'exit')
  }
}

/** With the factor by which each value grew from the size before. */
function printTable(sizes: number[], columns: Figures[]): void {
  console.log(['', ...sizes.map((size) => `${size} sessions`)].map((text, at) => cell(text, at)).join(''))
  for (const name of columns[0]!.keys()) {
    const values = columns.map((column) => column.get(name)!)
    const texts = values.map((value, at) => {
      const factor = at > 0 ? ` x${(value / values[at - 1]!).toFixed(1)}` : ''
      return `${value.toFixed(value < 10 ? 1 : 0)}${factor}`
    })
    console.log([name, ...texts].map((text, at) => cell(text, at)).join(''))
  }
  console.log(`goals: no factor above that of the sessions; a command at most ${maxMs} ms in the largest home`)
}

function cell(text: string, at: number): string {
  return at === 0 ? text.padEnd(40) : text.padStart(18)
}
