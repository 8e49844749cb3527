// The classes of commands that may be told, by program: what only reads, tests, builds and checks of
// the project, packages of the default registry, services of this machine, git without force.
/** No way out of the project, and nothing that a shell or another program would run. */
export function isPlainArgument(word: string): boolean {
  return word === '…' || (isInside(word) && !/[`$;|&<>\n]/.test(word))
}

/** Not an absolute path, one of the home folder, a shortened one, or one that goes up. */
export function isInside(path: string): boolean {
  return !/^(?:[/~\\]|[A-Za-z]:|…)|(?:^|[/\\=])\.\.(?:[/\\]|$)|=[/~]/.test(path)
}

/** Whether the arguments are harmless. */
type CommandClass = (args: string[]) => boolean

const anywhere: CommandClass = () => true
const inProject: CommandClass = (args) => args.every(isPlainArgument)

/** With one of these subcommands, and nothing that leads out of the project. */
function verbs(...names: string[]): CommandClass {
  const known = new Set(names)
  return (args) => {
    const verb = args.find((word) => !word.startsWith('-'))
    return (verb === undefined ? args.every((word) => informs.test(word)) : known.has(verb)) && inProject(args)
  }
}

const informs = /^(?:--?(?:version|help|v|h|V))$/

function without(refused: RegExp, like: CommandClass): CommandClass {
  return (args) => !args.some((word) => refused.test(word)) && like(args)
}

/** Names in the default registry: no paths, addresses or aliases. */
function installs(...names: string[]): CommandClass {
  const isPackage = (word: string) =>
    word.startsWith('-') || /^@?[\w.-]+(?:\/[\w.-]+)?(?:\[[\w,-]+\])?(?:[@=<>~!^]{1,2}[\w.*^~<>=-]+)?$/.test(word)
  return (args) =>
    names.includes(args[0] ?? '') && args.slice(1).every((word) => isPackage(word) && !/[:…]|^\.\.?$/.test(word))
}

function either(...classes: CommandClass[]): CommandClass {
  return (args) => classes.some((one) => one(args))
}

const nodePackages = either(
  installs('ci', 'install', 'i', 'add', 'dedupe', 'rebuild'),
  verbs(
    'run',
    'test',
    't',
    'start',
    'build',
    'lint',
    'check',
    'typecheck',
    'format',
    'dev',
    'ls',
    'list',
    'why',
    'outdated',
    'view',
    'info',
    'version',
    'link',
    'workspace',
    'workspaces',
  ),
)
const scripts: CommandClass = (args) => {
  const at = args.findIndex((word) => !word.startsWith('-'))
  const flags = args.slice(0, Math.max(0, at))
  return (
    at >= 0 &&
    /^(?:\.\/)?[\w@-][\w@./-]*\.(?:[cm]?[jt]s|py|rb|php|sh|pl)$/.test(args[at]!) &&
    flags.every((flag) => harmlessScriptFlags.test(flag)) &&
    inProject(args)
  )
}
const harmlessScriptFlags =
  /^(?:--test|--check|--watch|--no-warnings|--experimental-strip-types|--enable-source-maps|-u|-B|-x|-v|-E)$/
const pythonModules = without(
  /^-c$/,
  (args) =>
    args[0] === '-m' &&
    /^(?:pytest|unittest|venv|build|mypy|ruff|black|isort|flake8|pylint|coverage|compileall|py_compile|tox|nox|alembic|pip)$/.test(
      args[1] ?? '',
    ) &&
    (args[1] === 'pip' ? pip(args.slice(2)) : inProject(args.slice(2))),
)
const pip: CommandClass = either(
  installs('install'),
  verbs('list', 'show', 'freeze', 'check'),
  (args) =>
    args[0] === 'install' &&
    args
      .slice(1)
      .every(
        (word) =>
          isPlainArgument(word) &&
          (word.startsWith('-') || /^(?:\.|[\w./-]*\.(?:txt|in|toml)|\.\[[\w,-]+\])$/.test(word)),
      ),
)
const git: CommandClass = (given) => {
  const args = given[0] === '-C' && isPlainArgument(given[1] ?? '/') ? given.slice(2) : given
  const [verb = '', ...rest] = args
  const isPlain = rest.every(
    (word) =>
      isPlainArgument(word) &&
      !/^(?:-c|-f|-m|-F|-D|-d|--orphan|--discard-changes|--amend|--edit\S*)$/.test(word) &&
      !/^[+:]|:/.test(word),
  )
  const reads =
    /^(?:status|diff|log|show|fetch|rev-parse|ls-files|ls-tree|merge-base|describe|blame|shortlog|reflog|rev-list)$/
  const writes = /^(?:pull|rebase|merge|cherry-pick|switch|add|push|revert|commit)$/
  if (verb === 'submodule') return /^(?:update|init|sync|status)$/.test(rest[0] ?? '') && isPlain
  if (verb === 'lfs') return /^(?:pull|install|fetch|ls-files)$/.test(rest[0] ?? '') && isPlain
  if (verb === 'stash') return /^(?:|push|list|show|pop|apply|-u)$/.test(rest[0] ?? '') && isPlain
  if (verb === 'worktree') return /^(?:list|add)$/.test(rest[0] ?? '') && isPlain
  if (verb === 'branch' || verb === 'remote')
    return rest.every((word) => /^(?:-v+|-a|-r|--list|--show-current)$/.test(word))
  if (verb === 'config') return /^(?:--get|--list|-l)$/.test(rest[0] ?? '') && isPlain
  if (verb === 'checkout') return rest.length <= 2 && isPlain && !rest.some((word) => /^(?:--|\.|\*)$/.test(word))
  if (verb === 'commit') return isPlain && !rest.some((word) => /^-\w*n/.test(word))
  return (reads.test(verb) || writes.test(verb)) && isPlain
}
const gh: CommandClass = (args) => {
  const [noun = '', verb = ''] = args
  const reads = /^(?:view|list|diff|checks|status|search)$/.test(verb) || noun === 'status'
  return /^(?:pr|issue|run|repo|release|workflow|label|status|search)$/.test(noun) && reads && inProject(args)
}
const container = either(
  verbs('ps', 'logs', 'images', 'start', 'restart', 'version', 'info', 'inspect'),
  (args) => args[0] === 'compose' && compose(args.slice(1)),
)
const compose = without(
  /^-(?:v|-volumes|-rmi)$/,
  verbs('up', 'ps', 'logs', 'build', 'start', 'restart', 'stop', 'pull', 'config'),
)
const service = verbs('start', 'restart', 'status', 'list', 'is-active')
const localRequest: CommandClass = (args) =>
  args.every(
    (word) =>
      /^(?:-[sSfiILv]+|--(?:silent|fail|head|include|location|show-error))$/.test(word) ||
      /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/[\w./?=&%-]*)?$/.test(word),
  )

const table: [programs: string, CommandClass][] = [
  ['pwd which type df date whoami uname hostname nproc true false sleep cd pushd popd ps lsof pgrep', anywhere],
  ['ls stat file du tree wc head tail cat grep egrep rg', without(/^--pre\b/, inProject)],
  ['find', without(/^-(?:exec\S*|ok\S*|delete|fprint\S*|fls)$/, inProject)],
  ['mkdir touch', inProject],
  ['command', (args) => args.length === 2 && args[0] === '-v' && isPlainArgument(args[1]!)],
  ['echo', (args) => args.every((word) => /^(?:-+|=+|\$\?)$/.test(word))],
  ['export set', (args) => args.every((word) => /^(?:-[eux]+|-o|pipefail|[A-Z_]\w*=[\w.,:@/-]*)$/.test(word))],
  ['source .', (args) => args.length === 1 && /^(?:\.\/)?\.?(?:venv|env)\/bin\/activate$/.test(args[0]!)],
  ['npm pnpm yarn bun', nodePackages],
  [
    'npx bunx pnpx',
    (args) =>
      /^(?:tsc|tsx|ts-node|vitest|jest|mocha|eslint|prettier|biome|@biomejs\/biome|playwright|prisma|vite|next|turbo|nx|lerna|changeset|drizzle-kit|knex|typeorm|markdownlint\S*|stylelint|svelte-check|vue-tsc|astro|webpack|rollup|esbuild|cypress)$/.test(
        args.find((word) => !/^(?:--no-install|--no)$/.test(word)) ?? '',
      ) && inProject(args),
  ],
  [
    'node tsx ts-node bun deno ruby php perl',
    either(scripts, (args) => args.length > 0 && args.every((word) => informs.test(word) || word === '--test')),
  ],
  ['deno', verbs('task', 'test', 'check', 'lint', 'fmt', 'cache')],
  ['python python3', either(pythonModules, scripts, (args) => args.every((word) => informs.test(word)))],
  ['bash sh zsh', without(/^-/, scripts)],
  ['pip pip3', pip],
  [
    'uv',
    either(installs('add'), verbs('sync', 'lock', 'venv', 'tree'), (args) => args[0] === 'pip' && pip(args.slice(1))),
  ],
  ['poetry pipenv pdm', either(installs('install', 'add'), verbs('lock', 'check', 'show', 'sync'))],
  ['bundle', verbs('install', 'check', 'list')],
  ['composer', either(installs('install', 'require'), verbs('dump-autoload', 'validate'))],
  [
    'cargo',
    verbs(
      'build',
      'test',
      'run',
      'check',
      'clippy',
      'fmt',
      'fetch',
      'nextest',
      'bench',
      'doc',
      'tree',
      'xtask',
      'metadata',
      'update',
    ),
  ],
  [
    'go',
    (args) =>
      verbs('build', 'test', 'vet', 'fmt', 'generate', 'run', 'env', 'list', 'mod', 'version', 'tool', 'doc')(args) ||
      (args[0] === 'install' && args.slice(1).every((word) => word.startsWith('./'))) ||
      args.join(' ') === 'clean -testcache',
  ],
  [
    'make gmake just task rake gradle ./gradlew mvn ./mvnw ant sbt ninja meson bazel buck2 invoke nox tox',
    (args) => inProject(args) && !args.some((word) => /^(?:-f|-C|-I|--file|--init-script|SHELL=.*)$/.test(word)),
  ],
  ['mise asdf', verbs('run', 'r', 'install', 'trust', 'ls', 'list', 'current', 'which', 'doctor')],
  ['rustup', verbs('component', 'target', 'show', 'toolchain', 'update')],
  ['nvm fnm volta pyenv rbenv', verbs('use', 'install', 'ls', 'list', 'local', 'current')],
  ['corepack', verbs('enable', 'prepare')],
  [
    'dotnet mix rails swift flutter dart zig stack cabal lein',
    verbs(
      'build',
      'test',
      'run',
      'restore',
      'format',
      'deps.get',
      'ecto.create',
      'ecto.migrate',
      'compile',
      'db:migrate',
      'db:create',
      'db:setup',
      'spec',
      'pub',
      'analyze',
      'check',
    ),
  ],
  [
    'tsc vitest jest mocha ava eslint prettier biome oxlint stylelint ruff black isort flake8 mypy pyright pylint pytest py.test golangci-lint gofmt goimports gofumpt staticcheck shellcheck shfmt hadolint rspec rubocop phpunit phpstan pest ctest cmake swiftlint swiftformat ktlint clang-format clang-tidy markdownlint markdownlint-cli2 actionlint yamllint vale playwright cypress turbo nx vite svelte-check vue-tsc tflint',
    without(/^(?:-c|-P|--config|--plugin|--rulesdir|--resolve-plugins-relative-to)$/, inProject),
  ],
  [
    'prisma alembic knex drizzle-kit sqlx diesel',
    verbs('generate', 'migrate', 'upgrade', 'current', 'history', 'status', 'validate', 'db'),
  ],
  ['terraform tofu', verbs('init', 'validate', 'plan', 'fmt', 'show')],
  ['kubectl helm', verbs('get', 'describe', 'logs', 'version', 'lint', 'template', 'list', 'status')],
  ['docker podman', container],
  ['docker-compose', compose],
  ['systemctl', service],
  [
    'service brew',
    (args) =>
      (args.length === 2 && args.every(isPlainArgument) && /^(?:start|restart|status)$/.test(args[1]!)) ||
      (args[0] === 'services' && service(args.slice(1))) ||
      installs('install')(args),
  ],
  ['apt-get apt apk dnf yum', either(installs('install', 'add'), verbs('update'))],
  [
    'pg_ctl pg_isready redis-server redis-cli createdb initdb',
    without(/^(?:-o|--\w*command\w*|config|flush\w*|eval|shutdown|slaveof|replicaof|module)$/i, inProject),
  ],
  ['direnv', verbs('allow', 'reload', 'status')],
  ['gh', gh],
  ['git', git],
  ['curl', localRequest],
  ['chmod', (args) => args.length === 2 && /^[ugoa]*\+x$/.test(args[0]!) && isPlainArgument(args[1]!)],
]

/** Programs that stand in several rows may be called in each of these ways. */
export const commandClasses = new Map<string, CommandClass>()
for (const [programs, like] of table)
  for (const program of programs.split(' ')) {
    const known = commandClasses.get(program)
    commandClasses.set(program, known ? either(known, like) : like)
  }
