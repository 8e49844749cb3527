// npm run train: fits the ranking model of the rules to the labelled messages and writes its
// weights. `--report` measures it on unseen projects instead and writes nothing.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { benchmarkFolder } from '../../bench/labels.ts'
import type { Calibration, FeatureWeights } from '../../src/learn/heuristic/model.ts'
import { calibrate } from './calibrate.ts'
import { fitModel } from './fit.ts'
import { readMessages } from './messages.ts'
import { printReport, unseenScores } from './report.ts'

/** Smaller weights change nothing. */
const minWeight = 0.02
const maxLineLength = 110
const file = join(import.meta.dirname, '../../src/learn/heuristic/weights.ts')

const folder = benchmarkFolder('labels')
if (folder !== null) {
  const messages = readMessages(folder)
  if (process.argv.includes('--report')) printReport(messages)
  else {
    const source = sourceOf(fitModel(messages), calibrate(unseenScores(messages)))
    writeFileSync(file, source)
    console.log(`${source.length} characters written to ${file}`)
  }
}

function sourceOf(weights: FeatureWeights, { slope, offset, threshold }: Calibration): string {
  return `// Written by \`npm run train\`; do not edit. An entry is a weight in hundredths and the name of its
// feature; \`~\` marks a phrase.

export const calibration = { slope: ${Number(slope.toFixed(3))}, offset: ${Number(offset.toFixed(3))}, threshold: ${Number(threshold.toFixed(4))} }

export const weightTable = \`
${tableOf(weights)}
\`
`
}

/** As many weights on a line as fit. */
function tableOf(weights: FeatureWeights): string {
  const entries = [...weights]
    .filter(([, weight]) => Math.abs(weight) >= minWeight)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, weight]) => `${Math.round(weight * 100)} ${name}`)
  let length = 0
  return entries
    .map((entry) => {
      length += entry.length + 1
      if (length <= maxLineLength) return entry
      length = entry.length
      return `\n${entry}`
    })
    .join(';')
    .replaceAll(';\n', '\n')
}
