// The files we write, as the programs that they are for read them. Where such a program is missing,
// the test is skipped.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { launchd } from './launchd.ts'
import {
  type Cadence,
  cadences,
  type ScheduleContext,
  type Scheduler,
  type SchedulerState,
  type ScheduleStep,
} from './scheduler.ts'
import { systemd } from './systemd.ts'
import { taskScheduler } from './task-scheduler.ts'

const folder = mkdtempSync(join(tmpdir(), 'recollect-formats-'))
afterAll(() => rmSync(folder, { recursive: true }))
const place: ScheduleContext = {
  machine: { home: folder, env: { USERNAME: 'dev' }, platform: 'linux' },
  root: join(folder, 'store'),
  userId: 501,
  nowMs: 0,
}
const nothing: SchedulerState = { isReachable: true, isActive: false, texts: {} }
const job = {
  node: join(folder, 'my "tools" & co', '50%$x', 'node'),
  cli: '/opt/a <b>/$c/cli.js',
  env: { RECOLLECT_HOME: '/data/50% & "more"', CODEX_HOME: '/data/co dex' },
}

describe.skipIf(!canVerify())('systemd-analyze verify', () => {
  // systemd runs no program with a quote in its path: that one goes through env, and this one does
  // not.
  const plain = { ...job, node: join(folder, 'my tools', '50%$x', 'node') }
  mkdirSync(join(plain.node, '..'), { recursive: true })
  writeFileSync(plain.node, '#!/bin/sh\n')
  chmodSync(plain.node, 0o700)
  it.each([
    ['hourly', plain],
    ['daily', plain],
    ['weekly', plain],
    ['hourly', job],
  ] as const)('has nothing to say about %s', (cadence, one) => {
    const paths = written(systemd, cadence, one).map(({ path, content }) => {
      mkdirSync(join(path, '..'), { recursive: true })
      writeFileSync(path, content)
      return path
    })
    expect(verify(paths)).toEqual({ status: 0, said: '' })
  })
})

describe.skipIf(!hasPython())('XML', () => {
  it.each(cadences)('of launchd says the job: %s', (cadence) => {
    const [file] = written(launchd, cadence, job)
    const read = python(
      'import plistlib,json,sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))',
      Buffer.from(file!.content),
    )
    expect(JSON.parse(read)).toMatchObject({
      Label: 'recollect.work',
      ProgramArguments: [job.node, job.cli, 'work'],
      EnvironmentVariables: job.env,
      StartCalendarInterval: {
        Minute: expect.any(Number),
        ...(cadence === 'hourly' ? {} : { Hour: 4 }),
        ...(cadence === 'weekly' ? { Weekday: 1 } : {}),
      },
      LowPriorityIO: true,
      Nice: 10,
    })
  })
  it.each(cadences)('of the Task Scheduler says the job: %s', (cadence) => {
    const windows = { ...job, node: 'C:\\Program Files\\node & co\\node.exe', cli: 'C:\\tools\\cli.js' }
    const [variables, task] = written(taskScheduler, cadence, windows)
    const read = python(
      'import xml.etree.ElementTree as E,sys,json; print(json.dumps({e.tag.split("}")[1]: e.text for e in E.fromstring(sys.stdin.buffer.read()).iter()}))',
      Buffer.from(task!.content, task!.encoding),
    )
    expect(JSON.parse(read)).toMatchObject({
      Description: expect.stringContaining(`recollect schedule ${cadence}`),
      Arguments: `--headless "${windows.node}" "--env-file=${variables!.path}" "${windows.cli}" work`,
      StartWhenAvailable: 'true',
      ...{ hourly: { Interval: 'PT1H' }, daily: { DaysInterval: '1' }, weekly: { WeeksInterval: '1' } }[cadence],
    })
  })
})

function written(scheduler: Scheduler, cadence: Cadence, one: typeof job) {
  return scheduler
    .set(one, cadence, nothing, place)
    .filter((step): step is Extract<ScheduleStep, { kind: 'write' }> => step.kind === 'write')
}

function verify(paths: string[]): { status: number | null; said: string } {
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--user', '--man=no', ...paths], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, XDG_RUNTIME_DIR: folder },
  })
  return { status, said: stderr }
}

/** It may be there and not able to, in a container. */
function canVerify(): boolean {
  const path = join(folder, 'probe.service')
  writeFileSync(path, '[Service]\nType=oneshot\nExecStart=/bin/sh -c true\n')
  return said(verify([path]).status === 0, 'systemd-analyze')
}

function hasPython(): boolean {
  return said(spawnSync('python3', ['-c', 'import plistlib']).status === 0, 'python3')
}

function said(isThere: boolean, program: string): boolean {
  if (!isThere) console.log(`skipped: no ${program} to read the files with`)
  return isThere
}

function python(program: string, input: Buffer): string {
  return spawnSync('python3', ['-c', program], { input, encoding: 'utf8' }).stdout
}
