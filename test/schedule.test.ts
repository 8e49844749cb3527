// Scheduling on scripted systems: small programs that behave like crontab, systemctl, launchctl and schtasks.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CommandContext } from '../src/cli/command.ts'
import { addSchedule } from '../src/cli/setup/schedule.ts'
import {
  applySteps,
  commandRunner,
  currentSchedule,
  inspectSchedulers,
  planSchedule,
} from '../src/install/schedule/plan.ts'
import type { Cadence, ScheduleContext, ScheduledJob } from '../src/install/schedule/scheduler.ts'

let root: string
let home: string
let bin: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-schedule-'))
  home = join(root, 'home')
  bin = join(root, 'bin')
  mkdirSync(home)
  mkdirSync(bin)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true })
})

const job: ScheduledJob = {
  node: '/usr/bin/node',
  cli: '/opt/recollect/dist/cli.js',
  env: { RECOLLECT_HOME: '/data/re collect' },
}
const at = (path: string) => join(root, path)
const text = (path: string) => (existsSync(at(path)) ? readFileSync(at(path), 'utf8') : undefined)
const lines = (path: string) => (text(path) ?? '').trimEnd().split('\n')

describe.skipIf(process.platform === 'win32')('cron', () => {
  const table = () => (existsSync(at('table')) ? readFileSync(at('table'), 'latin1') : undefined)

  it.each([
    ['no crontab', undefined],
    ['an empty one', ''],
    ['comments and jobs', '# mine\n\nMAILTO=dev\n*/5 * * * * /usr/bin/backup  # every five\n'],
    ['a last line without end', '5 4 * * 0 weekly'],
    ['bytes that are no UTF-8', '5 4 * * 0 echo J\xf6rg \xff\n'],
  ])('comes and goes without a trace: %s', (_, before) => {
    script('crontab', crontab)
    if (before !== undefined) writeFileSync(at('table'), before, 'latin1')
    expect(schedule('linux', 'hourly')).toBe(1)
    expect(table()).toMatch(/\d+ \* \* \* \* RECOLLECT_HOME='\/data\/re collect' nice -n 10 \/usr\/bin\/node \/opt/)
    expect(schedule('linux', 'hourly')).toBe(0)
    expect(schedule('linux', 'daily')).toBe(1)
    expect(table()?.match(/recollect schedule/g)).toHaveLength(1)
    expect(now('linux')).toMatchObject({
      cadence: 'daily',
      scheduler: { id: 'cron' },
      since: '2026-09-01T10:00:00.000Z',
      next: expect.stringMatching(/^2026-09-0[12]T/),
      isCurrent: true,
    })
    expect(schedule('linux', 'off')).toBe(1)
    expect(table()).toBe(before)
    expect(schedule('linux', 'off')).toBe(0)
    expect(now('linux')).toBeUndefined()
  })

  it('is updated if the path of Node or recollect changes', () => {
    script('crontab', crontab)
    schedule('linux', 'hourly')
    expect(now('linux', { ...job, node: '/usr/local/bin/node' })?.isCurrent).toBe(false)
    expect(schedule('linux', 'hourly', { ...job, node: '/usr/local/bin/node' })).toBe(1)
    expect(table()).toContain('/usr/local/bin/node')
  })

  it('is not used without permission: an unreadable table does not count as empty', () => {
    script('crontab', 'echo "You (dev) are not allowed to use this program (crontab)" >&2; exit 1')
    expect(() => schedule('linux', 'hourly')).toThrow(/systemd, cron/)
  })
})

describe.skipIf(process.platform === 'win32')('systemd', () => {
  const units = 'home/.config/systemd/user'
  beforeEach(() => script('systemctl', systemctl))

  it('is set, changed and removed, and is preferred to cron', () => {
    script('crontab', crontab)
    schedule('linux', 'hourly')
    expect(text(`${units}/recollect.service`)).toContain(
      'ExecStart="/usr/bin/node" "/opt/recollect/dist/cli.js" work\nEnvironment="RECOLLECT_HOME=/data/re collect"\nNice=10\nIOSchedulingClass=idle\n',
    )
    expect(text(`${units}/recollect.timer`)).toMatch(/OnCalendar=hourly\nRandomizedDelaySec=15min\nPersistent=true/)
    expect(text('table')).toBeUndefined()
    expect(schedule('linux', 'hourly')).toBe(0)
    schedule('linux', 'daily')
    expect(text(`${units}/recollect.timer`)).toContain('OnCalendar=*-*-* 04:00:00')
    expect(now('linux')).toMatchObject({
      cadence: 'daily',
      scheduler: { id: 'systemd' },
      since: expect.any(String),
      next: '2026-09-02T04:12:31.000Z',
      isCurrent: true,
    })
    schedule('linux', 'off')
    expect(schedule('linux', 'off')).toBe(0)
    expect(lines('told').filter((line) => !line.includes('show'))).toEqual([
      '--user daemon-reload',
      '--user enable --now recollect.timer',
      '--user daemon-reload',
      '--user restart recollect.timer',
      '--user disable --now recollect.timer',
      '--user daemon-reload',
    ])
    expect(existsSync(at(`${units}/recollect.timer`)) || existsSync(at(`${units}/recollect.service`))).toBe(false)
    expect(now('linux')).toBeUndefined()
  })

  it('replaces a line in the crontab', () => {
    rmSync(join(bin, 'systemctl'))
    script('crontab', crontab)
    schedule('linux', 'daily')
    script('systemctl', systemctl)
    schedule('linux', 'daily')
    expect(text('table')).toBeUndefined()
    expect(now('linux')?.scheduler.id).toBe('systemd')
  })

  it('is removed by deleting its files if its manager does not answer', () => {
    schedule('linux', 'hourly')
    script('systemctl', 'echo "Failed to connect to bus: No medium found" >&2; exit 1')
    expect(now('linux')).toMatchObject({ cadence: 'hourly', isCurrent: undefined, next: undefined })
    schedule('linux', 'off')
    expect(now('linux')).toBeUndefined()
    expect(readdirSync(at(`${units}/timers.target.wants`))).toEqual([])
  })

  it('is enabled again if it was disabled', () => {
    schedule('linux', 'hourly')
    rmSync(at('active'))
    expect(now('linux')?.isCurrent).toBe(false)
    schedule('linux', 'hourly')
    expect(lines('told').at(-1)).toBe('--user enable --now recollect.timer')
  })

  it('leaves units of others unchanged', () => {
    mkdirSync(at(units), { recursive: true })
    writeFileSync(at(`${units}/recollect.timer`), '[Timer]\nOnCalendar=weekly\n')
    commandRunner(placeOn('linux').machine)(['systemctl', '--user', 'enable', '--now', 'recollect.timer'])
    expect(() => schedule('linux', 'hourly')).toThrow(/was not made by recollect/)
    expect(schedule('linux', 'off')).toBe(0)
    expect(text(`${units}/timers.target.wants/recollect.timer`)).toBe('[Timer]\nOnCalendar=weekly\n')
  })

  it('reports which command failed and continues from there the next time', () => {
    script('systemctl', `case "$*" in *enable*) echo "Access denied" >&2; exit 4;; esac\n${systemctl}`)
    expect(() => schedule('linux', 'hourly')).toThrow(
      '"systemctl --user enable --now recollect.timer" failed: Access denied',
    )
    script('systemctl', systemctl)
    expect(schedule('linux', 'hourly')).toBe(1)
    expect(now('linux')).toMatchObject({ cadence: 'hourly', isCurrent: true })
  })
})

describe.skipIf(process.platform === 'win32')('launchd', () => {
  it('is set, changed and removed', () => {
    script('launchctl', launchctl)
    const plist = 'home/Library/LaunchAgents/recollect.work.plist'
    expect(schedule('darwin', 'hourly')).toBe(2)
    expect(schedule('darwin', 'hourly')).toBe(0)
    expect(schedule('darwin', 'daily')).toBe(3)
    expect(text(plist)).toContain('<key>Hour</key><integer>4</integer>')
    expect(now('darwin')).toMatchObject({ cadence: 'daily', scheduler: { id: 'launchd' }, isCurrent: true })
    schedule('darwin', 'off')
    expect(schedule('darwin', 'off')).toBe(0)
    expect(text(plist)).toBeUndefined()
    expect(lines('told').filter((line) => !line.startsWith('print'))).toEqual([
      `bootstrap gui/501 ${at(plist)}`,
      'bootout gui/501/recollect.work',
      `bootstrap gui/501 ${at(plist)}`,
      'bootout gui/501/recollect.work',
    ])
  })
})

describe.skipIf(process.platform === 'win32')('the Task Scheduler', () => {
  it('is set, changed and removed', () => {
    script('schtasks', schtasks)
    schedule('win32', 'hourly')
    expect(schedule('win32', 'hourly')).toBe(0)
    schedule('win32', 'daily')
    expect(text('store/schedule.env')).toMatch(/^# .+\nRECOLLECT_HOME='\/data\/re collect'\n$/)
    expect(now('win32')).toMatchObject({ cadence: 'daily', scheduler: { id: 'task-scheduler' }, isCurrent: true })
    schedule('win32', 'off')
    expect(schedule('win32', 'off')).toBe(0)
    expect([text('store/schedule.env'), text('store/schedule.xml'), text('task')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
  it('removes the variables file if there are no variables', () => {
    script('schtasks', schtasks)
    schedule('win32', 'hourly')
    schedule('win32', 'hourly', { ...job, env: {} })
    expect(text('store/schedule.env')).toBeUndefined()
    expect(now('win32', { ...job, env: {} })?.isCurrent).toBe(true)
  })
})

it('prints the command line if there is no scheduler', () => {
  expect(() => schedule('linux', 'hourly')).toThrow(
    expect.objectContaining({
      hint: `Run this command hourly by other means:\nRECOLLECT_HOME='/data/re collect' nice -n 10 /usr/bin/node /opt/recollect/dist/cli.js work`,
    }),
  )
  expect(schedule('linux', 'off')).toBe(0)
})

describe.skipIf(process.platform !== 'linux')('recollect schedule', () => {
  beforeEach(() => {
    script('crontab', crontab)
    writeFileSync(at('table'), '1 2 * * * push --token s3cret-word\n')
    for (const [name, value] of Object.entries({ HOME: home, PATH: bin, RECOLLECT_HOME: at('store') }))
      vi.stubEnv(name, value)
  })

  it('only prints the plan with --dry-run', async () => {
    const { out, code } = await runSchedule('hourly', '--dry-run')
    expect(code).toBe(0)
    expect(out).toMatch(
      /^To run "recollect work" hourly through cron:\n {2}run crontab -\n {4}\+ \d+ \* \* \* \* RECOLLECT/,
    )
    expect(text('table')).toBe('1 2 * * * push --token s3cret-word\n')
  })
  it('does nothing without --yes if there is no terminal', async () => {
    expect(await runSchedule('hourly')).toMatchObject({
      code: 2,
      err: 'Nothing was changed. Add --yes to apply the changes.\n',
    })
    expect(await runSchedule('hourly', '--json')).toMatchObject({
      code: 2,
      out: expect.stringContaining('"isDone":false'),
    })
    expect(text('table')).toBe('1 2 * * * push --token s3cret-word\n')
  })
  it('sets with --yes and removes with off', async () => {
    expect(await runSchedule()).toMatchObject({ code: 0, out: expect.stringMatching(/^Not scheduled\./) })
    expect(await runSchedule('hourly', '--yes')).toMatchObject({
      code: 0,
      out: expect.stringContaining('\nDone. cron does not'),
    })
    expect(await runSchedule('hourly', '--yes')).toMatchObject({ code: 0, out: 'Already hourly through cron.\n' })
    expect(await runSchedule()).toMatchObject({
      out: expect.stringMatching(/^hourly through cron since .+, next run about .+\n$/),
      err: '',
    })
    expect(JSON.parse((await runSchedule('--json')).out)).toEqual({
      cadence: 'hourly',
      scheduler: 'cron',
      since: expect.any(String),
      next: expect.any(String),
      isCurrent: true,
    })
    const off = await runSchedule('off', '--yes', '--json')
    expect(JSON.parse(off.out)).toEqual({
      cadence: 'off',
      scheduler: null,
      isDone: true,
      steps: [{ kind: 'run', argv: ['crontab', '-'], changes: [expect.stringMatching(/^- \d+ \* \* \* \*/)] }],
    })
    expect(off.out).not.toContain('s3cret-word')
    expect(text('table')).toBe('1 2 * * * push --token s3cret-word\n')
  })
  it('does nothing if the crontab has changed since it was planned', async () => {
    script('crontab', `[ "$1" = -l ] && echo "# edited by $$" >> table\n${crontab}`)
    await expect(runSchedule('hourly', '--yes')).rejects.toThrow(/changed in the meantime/)
    expect(text('table')).not.toContain('recollect')
  })
  it('rejects another cadence', async () => {
    await expect(runSchedule('monthly')).rejects.toThrow(/Allowed choices are hourly, daily, weekly, off/)
  })
})

/** Plans and applies; gives back how many steps it took. */
function schedule(platform: NodeJS.Platform, wish: Cadence | 'off', one = job): number {
  const place = placeOn(platform)
  const run = commandRunner(place.machine)
  const { steps } = planSchedule(wish, one, inspectSchedulers(place, run), place)
  applySteps(steps, run)
  return steps.length
}

function now(platform: NodeJS.Platform, one = job) {
  const place = placeOn(platform)
  return currentSchedule(one, inspectSchedulers(place, commandRunner(place.machine)), place)
}

function placeOn(platform: NodeJS.Platform): ScheduleContext {
  return {
    machine: { home, env: { PATH: bin, HOME: home, USERNAME: 'dev' }, platform },
    root: at('store'),
    userId: 501,
    nowMs: Date.parse('2026-09-01T10:00:00Z'),
  }
}

async function runSchedule(...args: string[]): Promise<{ out: string; err: string; code: number }> {
  const out: string[] = []
  const err: string[] = []
  const codes = [0]
  const plain = (text: string) => text
  const terminal: CommandContext['terminal'] = {
    print: (text) => void out.push(`${text}\n`),
    tell: (text) => void out.push(`${text}\n`),
    say: (text) => void err.push(`${text}\n`),
    json: (value) => void out.push(`${JSON.stringify(value)}\n`),
    jsonLine: (value) => void out.push(`${JSON.stringify(value)}\n`),
    style: { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, blue: plain },
    columns: 140,
    progress: () => ({ show: () => {}, end: () => {} }),
    hold: () => {},
    release: () => {},
  }
  const program = new Command('recollect').exitOverride().configureOutput({ writeErr: () => {} })
  addSchedule({ program, terminal, exit: (code) => void codes.push(code) })
  await program.parseAsync(['node', 'recollect', 'schedule', ...args])
  return { out: out.join(''), err: err.join(''), code: codes.at(-1)! }
}

function script(name: string, body: string): void {
  const path = join(bin, name)
  rmSync(path, { force: true })
  writeFileSync(path, `#!/bin/sh\nPATH=/usr/bin:/bin\ncd ${root}\n${body}\n`)
  chmodSync(path, 0o755)
}

const crontab = `
case "$1" in
  -l) cat table 2>/dev/null || { echo "no crontab for dev" >&2; exit 1; } ;;
  -r) rm table ;;
  -) cat > table ;;
esac`

const systemctl = `
echo "$*" >> told
units=home/.config/systemd/user
case "$2 $3" in
  "show recollect.timer")
    if [ -f active ]; then
      echo "ActiveState=active"; echo "NextElapseUSecRealtime=Wed 2026-09-02 04:12:31 $TZ"
    else
      echo "ActiveState=inactive"; echo "NextElapseUSecRealtime="
    fi ;;
  "enable --now")
    [ -f $units/recollect.timer ] || exit 1
    mkdir -p $units/timers.target.wants
    ln -sf ../recollect.timer $units/timers.target.wants/recollect.timer
    touch active ;;
  "disable --now")
    [ -f $units/recollect.timer ] || exit 1
    rm -f active $units/timers.target.wants/recollect.timer ;;
esac`

const launchctl = `
echo "$*" >> told
case "$1" in
  print) [ -f loaded ] || exit 113 ;;
  bootstrap) [ ! -f loaded ] && [ -f "$3" ] || exit 5; touch loaded ;;
  bootout) rm loaded ;;
esac`

const schtasks = `
case "$1" in
  /Query) cat task 2>/dev/null || { echo "ERROR: The system cannot find the file specified." >&2; exit 1; } ;;
  /Create) cp "$5" task ;;
  /Delete) rm task ;;
esac`
