// Completion scripts for bash, zsh and fish. They are static: no command starts Node to complete a
// word. Each finds the command that the line names, then offers its commands, options and values.
import type { CommandNode } from './tree.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

export function completionScript(shell: Shell, nodes: readonly CommandNode[]): string {
  switch (shell) {
    case 'bash':
      return bashScript(nodes)
    case 'zsh':
      return zshScript(nodes)
    case 'fish':
      return fishScript(nodes)
    default:
      return shell satisfies never
  }
}

/** Seen with bash 5.2 and bash-completion 2.11. `-o default` completes files where nothing is known. */
function bashScript(nodes: readonly CommandNode[]): string {
  const ofNodes = nodes.map(({ path, commands, words, options }) => {
    const first = [...commands.map(({ name }) => name), ...words].join(' ')
    const flags = options.flatMap((option) => option.flags).join(' ')
    return `    ${quoted(path)}) words=${quoted(first)} options=${quoted(flags)} ;;`
  })
  const withText = nodes.filter(({ hasArguments }) => hasArguments).map(({ path }) => quoted(path))
  return `# Completion of recollect for bash. To use it: eval "$(recollect completion bash)"
_recollect() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} at='' words='' options='' index
  # Bash splits --agent=codex into three words.
  if [[ $current == = ]]; then current=''; elif [[ $previous == = ]]; then previous=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$at \${COMP_WORDS[index]}" in
      ${steps(nodes).join(' | ')}) at="\${at:+$at }\${COMP_WORDS[index]}" ;;
    esac
  done
  case "$at $previous" in
${valueCases(nodes, (values) => `words=${quoted(values.join(' '))}`, 'return')}
    *) case $at in
${ofNodes.join('\n')}
    esac ;;
  esac
  # Options where they are asked for, or where nothing else can stand.
  case $at in
    ${withText.join(' | ')}) [[ $current != -* ]] || words=$options ;;
    *) [[ $current != -* && -n $words ]] || words=$options ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _recollect recollect`
}

/** Seen with zsh 5.9. */
function zshScript(nodes: readonly CommandNode[]): string {
  const described = (entries: readonly [string, string][]) =>
    entries.map(([word, text]) => quoted(`${word.replaceAll(':', '\\:')}:${text}`)).join(' ')
  const ofNodes = nodes.map((node) => {
    const commands = node.commands.map(({ name, description }): [string, string] => [name, description])
    const options = node.options.flatMap(({ flags, description }) =>
      flags.map((flag): [string, string] => [flag, description]),
    )
    return `    ${quoted(node.path)})
      commands=(${described(commands)})
      options=(${described(options)})
      values=(${node.words.map(quoted).join(' ')}) ;;`
  })
  const withText = nodes.filter(({ hasArguments }) => hasArguments).map(({ path }) => quoted(path))
  return `#compdef recollect
# Completion of recollect for zsh. To use it: source <(recollect completion zsh)
_recollect() {
  local at= word previous=\${words[CURRENT - 1]}
  local -a commands options values
  for word in "\${(@)words[2, CURRENT - 1]}"; do
    case "$at $word" in
      ${steps(nodes).join(' | ')}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at $previous" in
${valueCases(nodes, (values) => `compadd -- ${values.map(quoted).join(' ')}; return`, '_files; return')}
  esac
  case $at in
${ofNodes.join('\n')}
  esac
  # Options where they are asked for, or where nothing else can stand.
  if [[ $PREFIX == -* ]]; then _describe -o option options; return; fi
  if (( $#commands )); then _describe command commands; fi
  if (( $#values )); then compadd -- $values; return; fi
  case $at in
    ${withText.join(' | ')}) _files ;;
    *) (( $#commands )) || _describe -o option options ;;
  esac
}
if [[ $funcstack[1] == _recollect ]]; then _recollect "$@"; else compdef _recollect recollect; fi`
}

/** Seen with fish 3.6. */
function fishScript(nodes: readonly CommandNode[]): string {
  const lines = nodes.flatMap((node) => {
    const at = `complete -c recollect -n ${fishQuoted(`__recollect_at ${fishQuoted(node.path)}`)}`
    return [
      ...node.commands.map(({ name, description }) => `${at} -f -a ${name} -d ${fishQuoted(description)}`),
      ...(node.words.length > 0 ? [`${at} -f -a ${fishQuoted(node.words.join(' '))}`] : []),
      ...node.options.map(({ flags, description, value }) => {
        const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`))
        const taken = { none: '', file: ' -r -F', text: ' -x' }
        const takes = typeof value === 'string' ? taken[value] : ` -x -a ${fishQuoted(value.join(' '))}`
        return `${at} ${names.join(' ')}${takes} -d ${fishQuoted(description)}`
      }),
    ]
  })
  return `# Completion of recollect for fish. To use it: recollect completion fish | source
function __recollect_at
  set -l at
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case ${steps(nodes).join(' ')}
        set -a at $word
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}`
}

/** The command so far and a word that names one of its commands, as the scripts compare them. */
function steps(nodes: readonly CommandNode[]): string[] {
  return nodes.flatMap(({ path, commands }) => commands.map(({ name }) => quoted(`${path} ${name}`)))
}

/** Cases of sh for what follows an option; nothing is offered for free text. */
function valueCases(
  nodes: readonly CommandNode[],
  listed: (values: readonly string[]) => string,
  files: string,
): string {
  const cases = nodes.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value }) => {
      if (value === 'none') return []
      const action = value === 'file' ? files : value === 'text' ? 'return' : listed(value)
      return [{ action, pattern: flags.map((flag) => quoted(`${path} ${flag}`)).join(' | ') }]
    }),
  )
  return [...Map.groupBy(cases, ({ action }) => action)]
    .map(([action, same]) => `    ${same.map(({ pattern }) => pattern).join(' | ')}) ${action} ;;`)
    .join('\n')
}

/** In single quotes sh interprets nothing but the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** In single quotes fish interprets the backslash, too. */
function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
