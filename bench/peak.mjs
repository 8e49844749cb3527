// Prints the peak memory of the process that preloads it; see measure.ts.
process.on('exit', () => {
  process.stderr.write(`\npeak ${Math.round(process.resourceUsage().maxRSS / 1024)}\n`)
})
