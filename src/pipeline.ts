// The ordered list of stages: read this first. Data moves from top to bottom; each stage takes what it has not handled yet,
// writes what the next one reads, and can be run again at any time with the same result.
import { type CaptureContext, type CaptureOptions, type CaptureReport, capture } from './capture/capture.ts'
import { type DigestReport, digest } from './digest/digest.ts'
import { type RetainReport, retain } from './retain/retain.ts'

export type PipelineContext = CaptureContext

export interface PipelineOptions extends CaptureOptions {
  onStage?(name: string): void
  onDigest?(done: number, of: number): void
}

export interface SweepReport extends CaptureReport, DigestReport {
  /** Memories learned; the stage that learns them comes after digest. */
  learned: number
  retention: RetainReport
}

interface Stage {
  name: string
  run(context: PipelineContext, options: PipelineOptions): Promise<Partial<SweepReport>> | Partial<SweepReport>
}

export const pipeline: readonly Stage[] = [
  { name: 'capture', run: (context, options) => capture(context, options) },
  { name: 'digest', run: (context, options) => digest(context, options.onDigest) },
  { name: 'retain', run: (context) => ({ retention: retain({ ...context, digestNow: () => digest(context) }) }) },
]

export async function runPipeline(context: PipelineContext, options: PipelineOptions = {}): Promise<SweepReport> {
  let report: Partial<SweepReport> = { learned: 0 }
  for (const stage of pipeline) {
    options.onStage?.(stage.name)
    report = { ...report, ...(await stage.run(context, options)) }
  }
  return report as SweepReport
}
