// The completion scripts in the shells themselves. A shell that is not installed is skipped.
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Place, place, recollect } from './program.ts'

let at: Place
beforeAll(() => (at = place()))
afterAll(() => at.remove())

const run = (command: string, ...args: string[]) =>
  spawnSync(command, args, {
    encoding: 'utf8',
    cwd: at.home,
    env: { PATH: process.env.PATH, HOME: at.home },
    timeout: 60_000,
    killSignal: 'SIGKILL',
  })
const isMissing = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status !== 0

/** Each answers all lines in one process: zsh needs a second to start its completion. */
const shells: Record<string, (script: string, lines: string[]) => string> = {
  bash(script, lines) {
    const library = '/usr/share/bash-completion/bash_completion'
    const inside = [
      existsSync(library) ? `source ${library}` : '',
      `source ${script}`,
      'for line; do',
      '  COMP_WORDS=($line) && [[ $line == *" " ]] && COMP_WORDS+=("")',
      `  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)) && _recollect`,
      `  printf '<%s>\\n' "\${COMPREPLY[@]}" END`,
      'done',
    ]
    return run('bash', '--norc', '-c', inside.join('\n'), 'bash', ...lines).stdout
  },
  // Only its line editor completes, so it is driven through a pseudo-terminal and told to print what it offers.
  zsh(script, lines) {
    const inside = [
      'PROMPT=; autoload -Uz compinit && compinit -u -D',
      `source ${script}`,
      'compadd() { local -a hits; builtin compadd -O hits "$@"; print -rl -- "<"$^hits">"; builtin compadd "$@" }',
      'finish() { print -r -- "<END>" }',
      // In two parts, so that the echo of this line is not taken for its output.
      'print -r -- "<RE""ADY>"',
    ]
    const outside = [
      'zmodload zsh/zpty && zpty z zsh -f -i',
      'zpty -w z "$1"; zpty -r z text "*<READY>*"',
      // Control-U empties the line; zsh calls such a function once.
      `for line in "\${@:2}"; do`,
      '  zpty -w z $\'\\C-u\'"comppostfuncs=(finish)"; zpty -w -n z "$line"$\'\\t\'',
      '  zpty -r z text "*<END>*"; print -r -- "$text"',
      'done',
      'zpty -d z',
    ]
    return run('zsh', '-f', '-c', outside.join('\n'), 'zsh', inside.join('\n'), ...lines).stdout
  },
  fish(script, lines) {
    const offer = 'complete -C $line | string replace -r "\\t.*" "" | string replace -r "(.*)" "<\\$1>"'
    const inside = `source ${script}; for line in $argv; ${offer}; echo "<END>"; end`
    return run('fish', '--no-config', '-c', inside, ...lines).stdout
  },
}

const examples: [line: string, offered: string[], not: string[]][] = [
  ['recollect ses', ['sessions'], ['search']],
  ['recollect server us', ['user'], ['add']],
  ['recollect server user ', ['add', 'list'], ['team']],
  ['recollect sessions --agent co', ['codex', 'copilot-cli'], ['claude-code']],
  ['recollect sessions --out', ['--outcome'], ['--agent']],
  ['recollect --json remember --kind d', ['decision', 'debugging'], ['fact']],
  ['recollect schedule ', ['hourly', 'off'], ['--yes']],
  ['recollect search sessions --li', ['--limit'], ['--all']],
  ['recollect help bla', ['blame'], ['brief']],
]

describe.each(Object.entries(shells))('%s', (shell, complete) => {
  describe.skipIf(isMissing(shell))('completes', () => {
    let offers: Map<string, string[]>
    beforeAll(() => {
      const script = join(at.root, `completion.${shell}`)
      writeFileSync(script, recollect(at, 'completion', shell).out)
      const lines = examples.map(([line]) => line)
      const answers = complete(script, lines).split('<END>')
      const words = (answer = '') => [...answer.matchAll(/<([^<>\s]+)>/g)].map((match) => match[1]!)
      offers = new Map(lines.map((line, index) => [line, words(answers[index])]))
    })

    it.each(examples)('%s', (line, offered, not) => {
      expect(offers.get(line)).toEqual(expect.arrayContaining(offered))
      for (const word of not) expect(offers.get(line)).not.toContain(word)
    })
  })
})
