// The ordered list of stages: read this first. Data moves from top to bottom; each stage takes what it has not handled yet,
// writes what the next one reads, and can be run again at any time with the same result.
import { type CaptureContext, type CaptureOptions, type CaptureReport, capture } from './capture/capture.ts'
import { digest } from './digest/digest.ts'
import { type RetainReport, retain } from './retain/retain.ts'

export interface PipelineContext extends CaptureContext {
  /** Sessions digested in this run. */
  digested: Set<number>
}

export interface PipelineOptions extends CaptureOptions {
  onDigest?(done: number, of: number): void
}

export interface SweepReport extends CaptureReport {
  digested: number
  /** Memories learned; the stage that learns them comes after digest. */
  learned: number
  retention: RetainReport
}

interface Stage {
  name: string
  run(context: PipelineContext, options: PipelineOptions): Promise<Partial<SweepReport>> | Partial<SweepReport>
}

export const pipeline: readonly Stage[] = [
  // While the next batch is being read, the one that was just written is digested.
  {
    name: 'capture',
    run: (context, options) => capture(context, { ...options, afterBatch: () => runDigest(context) }),
  },
  { name: 'digest', run: (context, options) => runDigest(context, options.onDigest) },
  { name: 'retain', run: (context) => ({ retention: retain({ ...context, digestNow: () => runDigest(context) }) }) },
]

export async function runPipeline(context: PipelineContext, options: PipelineOptions = {}): Promise<SweepReport> {
  let report: Partial<SweepReport> = { learned: 0 }
  for (const stage of pipeline) report = { ...report, ...(await stage.run(context, options)) }
  return report as SweepReport
}

function runDigest(context: PipelineContext, onProgress?: (done: number, of: number) => void): { digested: number } {
  for (const session of digest(context, onProgress)) context.digested.add(session)
  return { digested: context.digested.size }
}
