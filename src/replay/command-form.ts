// The form of a command: its program with subcommand, its options and its folder, without the values
// that differ from call to call.

export interface RunForm {
  program: string
  command: string
  folder: string
}

/** The same for calls that differ in their values only. */
export function formOf({ folder, program, command }: RunForm): string {
  return [folder, program, ...optionsIn(command).toSorted()].join(' ')
}

export function optionsIn(command: string): string[] {
  return [...new Set(command.match(/(?<=\s)--?[A-Za-z][\w-]*/g) ?? [])]
}

/** Programs that run others, and words between them and those. */
const wrappers =
  /^(?:npx|bunx|uvx|uv|pnpm|npm|yarn|bun|poetry|pipenv|pdm|hatch|rye|mise|asdf|bundle|sudo|env|docker|podman|compose|python[\d.]*|python|node|go|cargo|dotnet|nix|make|just|task|run|exec|tool|x|dlx|-m|--|sh|bash)$/

/** What a command is about, behind the programs that only run it: `pytest` for `uv run pytest -q`. */
export function subjectsOf({ program, command }: RunForm): Set<string> {
  const subjects = command
    .split(/\s+/)
    .slice(0, program.split(' ').length + 4)
    .filter((word) => !wrappers.test(word) && isName.test(word))
    .map((word) => word.slice(word.lastIndexOf('/') + 1))
  return new Set(subjects.slice(0, 2).map((word) => word.toLowerCase()))
}

const isName = /^(?:[A-Za-z][\w:.-]*|[\w.~/-]+\/[\w-]+\.(?:sh|py|js|mjs|ts|rb|ps1))$/

/** Whether one is the other called in another way, such as through a wrapper, with other options or in another folder. */
export function isSameTask(failed: RunForm, passed: RunForm): boolean {
  const [own, other] = [subjectsOf(failed), subjectsOf(passed)]
  if (own.size === 0 || other.size === 0) return failed.program === passed.program
  const [first] = own
  return other.has(first!) || [...own].some((word) => other.has(word) && word.length > 3)
}
