// The program of the judging thread: see judge-thread.ts.
import { parentPort } from 'node:worker_threads'
import { agents } from '../agents/registry.ts'
import type { JudgeMessage } from './judge-thread.ts'
import { type JudgeJob, judgeSteps } from './steps.ts'

const isMemoryPath = (agent: string, path: string) =>
  agents.find(({ id }) => id === agent)?.memories?.isMemoryPath(path) ?? false

parentPort!.on('message', ({ id, job }: { id: number; job: JudgeJob }) => {
  const message: JudgeMessage = { id, steps: [...judgeSteps(job, isMemoryPath)] }
  parentPort!.postMessage(message)
})
