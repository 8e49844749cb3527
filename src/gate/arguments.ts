// Words of commands that lead neither out of the project nor off this machine.

/** No way out of the project, nothing that a shell or another program would run, and no file that guards it. */
export function isPlainArgument(word: string): boolean {
  return (
    word === '…' || (isInside(word) && !/[`;&<>\n]|\$[\w({]|^-.*["{]|(?:^|=)\{.*"/.test(word) && !guards.test(word))
  )
}

/** `deploy`, `db:reset`, `publish-all`: what a project calls its ways to publish, to destroy and to run what it is given. */
export function namesDanger(target: string): boolean {
  return dangers.test(target)
}

const dangers =
  /(?:^|[:._-])(?:deploy\w*|publish\w*|release(?![-_.]?(?:notes|please|drafter))|ship|promote|roll(?:back|out)|upload|push|destroy\w*|drop\w*|reset|flush\w*|wipe|purge|nuke|truncate|teardown|delete\w*|erase|uninstall|shell|dbshell|console|runner|eval|exec|env|printenv)(?=$|[:._-])/i

/** Files of git and of agents, which decide what is run. */
const guards =
  /(?:^|[/=])\.(?:git|ssh|aws|gnupg|kube|docker|husky|claude|codex|cursor|gemini)(?:\/|$)|(?:^|[/=])(?:CLAUDE|AGENTS|GEMINI)\.md$/i

/** Not an absolute path, one of the home folder, a shortened one, or one that goes up. */
export function isInside(path: string): boolean {
  return !/^(?:[/~\\]|[A-Za-z]:|…)|(?:^|[/\\=])\.\.(?:[/\\]|$)|=[/~]/.test(path)
}

export function isLocalUrl(url: string): boolean {
  return /^(?:https?|wss?|postgres(?:ql)?|mysql|redis|mongodb|amqp):\/\/(?:[\w.-]*(?::[^@/\s]*)?@)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?=[:/?#\s]|$)/i.test(
    url,
  )
}
