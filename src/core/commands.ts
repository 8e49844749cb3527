// Recognises test runs, commands and paths in the inputs and outputs of tool calls.
import type { Json } from './session.ts'

const testRunner = [
  String.raw`(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:t|tests?)(?::[\w:-]+)?(?![\w:-])`,
  String.raw`(?:npx\s+|pnpm\s+(?:exec\s+)?|yarn\s+|bunx\s+)?(?:vitest|jest|mocha|ava|tap|karma|cypress\s+run|playwright\s+test)\b`,
  String.raw`(?:[\w./-]*python[\d.]*\s+-m\s+|uv\s+run\s+|poetry\s+run\s+|[\w./-]*/)?(?:pytest|py\.test|unittest|nose2|tox|nox)\b`,
  String.raw`(?:go|cargo|dotnet|swift|mix|deno|bun|flutter|dart|zig\s+build|bazel|rake|rails|crystal|stack|cabal|sbt)\s+(?:nextest(?:\s+run)?|test|spec)\b`,
  String.raw`node\s+(?:\S+\s+)*--test\b`,
  String.raw`(?:mvn|\./mvnw|gradle|\./gradlew)\s+(?:\S+\s+)*(?:test|verify|check)\b`,
  String.raw`make\s+(?:\S+\s+)*(?:test|tests|check)\b`,
  String.raw`(?:bundle\s+exec\s+)?(?:rspec|phpunit|pest|ctest|bats|busted|prove)\b`,
  String.raw`[\w./-]*vendor/bin/phpunit\b`,
].join('|')

const startsTest = new RegExp(String.raw`^(?:(?:env\s+)?(?:\w+=\S*\s+)*|time\s+|timeout\s+\S+\s+)*(?:${testRunner})`)
const hasTestWord = /test|spec|check|verify|tox|nox|jest|mocha|ava\b|tap\b|karma|cypress|bats|busted|prove|pest/

/** Whether a shell line runs tests. Words inside quotes are arguments, not commands. */
export function isTestCommand(command: string): boolean {
  return hasTestWord.test(command) && splitCommands(command).some((part) => startsTest.test(part))
}

/** Whether the last command of a shell line, before any pipe, runs tests: then its exit code is theirs. */
export function endsWithTests(line: string): boolean {
  const last = withoutTexts(line)
    .split(/&&|\|\||[;\n]/)
    .map((part) => part.trim())
    .findLast((part) => part !== '')
  return last !== undefined && isTestCommand(last)
}

/** The commands of a shell line, without quoted strings, here-documents and shell redirections. */
export function splitCommands(line: string): string[] {
  return withoutTexts(line)
    .split(/&&|\|\||[;|&\n(]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function withoutTexts(line: string): string {
  return line
    .slice(0, 20_000)
    .replace(/<<-?\s*['"]?(\w+)['"]?[\s\S]*?\n\s*\1\b/g, ' ')
    .replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, '""')
}

const counts: [passed: RegExp, failed: RegExp][] = [
  [/\bTests?:?\s.*?(\d+) passed/i, /\bTests?:?\s.*?(\d+) failed/i], // vitest, jest
  [/test result: \w+\. (\d+) passed/, /test result: \w+\. \d+ passed; (\d+) failed/], // cargo
  [/[#ℹ] pass (\d+)/, /[#ℹ] fail (\d+)/], // node --test
  [/^\s*(\d+) pass$/m, /^\s*(\d+) fail$/m], // bun
  [/(\d+) passing\b/, /(\d+) failing\b/], // mocha
  [/(?:^|[\s=,])(\d+) passed\b/m, /(?:^|[\s=,])(\d+) (?:failed\b|errors?(?= in ))/m], // pytest and the plain form
]

/** Numbers of passed and failed tests in the output of a known runner; the last summary counts. */
export function testCounts(output: string): { passed: number; failed: number } | undefined {
  const end = output.slice(-20_000)
  const rspec = /(\d+) examples?, (\d+) failures?/.exec(end)
  if (rspec) return { passed: Number(rspec[1]) - Number(rspec[2]), failed: Number(rspec[2]) }
  const surefire = [...end.matchAll(/Tests run: (\d+), (?:Assertions: \d+, )?Failures: (\d+)(?:, Errors: (\d+))?/g)].at(
    -1,
  )
  if (surefire) {
    const failed = Number(surefire[2]) + Number(surefire[3] ?? 0)
    return { passed: Number(surefire[1]) - failed, failed }
  }
  const go = {
    passed: end.match(/^ok\s+\S+\s+(?:[\d.]+s|\(cached\))/gm)?.length ?? 0,
    failed: end.match(/^(?:FAIL\s+\S+\s+(?:[\d.]+s|\[(?:build|setup) failed\])|--- FAIL: )/gm)?.length ?? 0,
  }
  if (go.passed + go.failed > 0) return go
  for (const [passed, failed] of counts) {
    const p = lastNumber(end, passed)
    const f = lastNumber(end, failed)
    if (p !== undefined || f !== undefined) return { passed: p ?? 0, failed: f ?? 0 }
  }
  const unittest = /^Ran (\d+) tests?[\s\S]*?^(OK|FAILED(?: \((?:failures=(\d+))?(?:,? ?errors=(\d+))?\))?)/m.exec(end)
  if (!unittest) return undefined
  const failed = Number(unittest[3] ?? 0) + Number(unittest[4] ?? 0)
  return { passed: Number(unittest[1]) - failed, failed }
}

function lastNumber(text: string, pattern: RegExp): number | undefined {
  const found = [...text.matchAll(new RegExp(pattern.source, `g${pattern.flags}`))].at(-1)
  return found ? Number(found[1]) : undefined
}

/** The shell line in a tool's input, under the names that agents use for it. */
export function commandOf(input: Json | undefined): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return ''
  const command = input.command ?? input.cmd ?? input.script ?? input.CommandLine
  if (Array.isArray(command)) return shellLine(command.map(String))
  return typeof command === 'string' ? command : ''
}

/** `["bash", "-lc", "npm test"]` becomes `npm test`. */
function shellLine(words: string[]): string {
  const isShell = /(?:^|\/)(?:ba|z|da)?sh$/.test(words[0] ?? '') && /^-\w*c$/.test(words[1] ?? '')
  return isShell ? words.slice(2).join(' ') : words.join(' ')
}

/** File paths in a tool's input. */
export function pathsOf(input: Json | undefined): string[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return []
  const names = [
    ...[input.file_path, input.filePath, input.path, input.notebook_path, input.absolute_path, input.filename],
    ...[input.TargetFile, input.AbsolutePath], // Antigravity
  ]
  return names.filter((name): name is string => typeof name === 'string' && name !== '')
}
