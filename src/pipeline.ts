// The ordered list of stages: read this first. Data moves from top to bottom; each stage takes what it has not handled yet,
// writes what the next one reads, and can be run again at any time with the same result.
import { type CaptureContext, type CaptureOptions, type CaptureReport, capture } from './capture/capture.ts'
import { zoneOf } from './core/units.ts'
import { digest, digestFresh } from './digest/digest.ts'
import { prepareBriefs } from './recall/prepare-briefs.ts'
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
  /** Briefs made anew. */
  briefs: number
  retention: RetainReport
}

interface Stage {
  name: string
  run(context: PipelineContext, options: PipelineOptions): Promise<Partial<SweepReport>> | Partial<SweepReport>
}

export const pipeline: readonly Stage[] = [
  // What capture has just written is digested while the next batch is being read; the stage below does what is left.
  {
    name: 'capture',
    run: (context, options) =>
      capture(context, { ...options, onWritten: (fresh) => counted(context, digestFresh(context, fresh)) }),
  },
  { name: 'digest', run: (context, options) => counted(context, digest(context, options.onDigest)) },
  {
    name: 'brief',
    run: (context) => ({
      briefs: prepareBriefs({ ...context, zone: zoneOf(context.config.display.zone) }, 'due'),
    }),
  },
  {
    name: 'retain',
    run: (context) => ({ retention: retain({ ...context, digestNow: () => counted(context, digest(context)) }) }),
  },
]

export async function runPipeline(context: PipelineContext, options: PipelineOptions = {}): Promise<SweepReport> {
  let report: Partial<SweepReport> = { learned: 0, briefs: 0 }
  for (const stage of pipeline) report = { ...report, ...(await stage.run(context, options)) }
  return report as SweepReport
}

function counted(context: PipelineContext, digested: number[]): { digested: number } {
  for (const session of digested) context.digested.add(session)
  return { digested: context.digested.size }
}
