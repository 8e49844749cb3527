// The classes of commands that may be told, by program: what only reads, tests, builds and checks of
// the project, packages of the default registry, services of this machine, git without force.
import { isLocalUrl, isPlainArgument, namesDanger } from './arguments.ts'
import { mayInstall } from './packages.ts'
import { whyVariableIsHeld } from './variables.ts'

/** What they contain would be printed. */
const secretFile =
  /(?:^|[/=])(?:\.env(?!\.(?:example|sample|template|dist)$)[\w.-]*|\.npmrc|\.netrc|\.pypirc|\.pgpass|\.htpasswd|id_\w+|\S*(?:secret|credential|password|private)\S*|\S+\.(?:pem|key|p12|pfx|keystore))$/i

/** What a command is told for. */
export interface CommandUse {
  /** Programs, with their subcommands, that the reader runs or asks for. */
  same: readonly string[]
  /** Packages that a message says are missing. */
  missing: ReadonlySet<string>
}

/** Whether the arguments are harmless. */
type CommandClass = (args: string[], use: CommandUse) => boolean

const anywhere: CommandClass = () => true
const inProject = (args: readonly string[]) => args.every(isPlainArgument)

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
  return (args, use) => !args.some((word) => refused.test(word)) && like(args, use)
}

/** Options in front of the subcommand do not change what it is. */
function after(options: RegExp, withValue: RegExp, like: CommandClass): CommandClass {
  return (args, use) => {
    let at = 0
    while (at < args.length && (options.test(args[at]!) || withValue.test(args[at]!)))
      at += withValue.test(args[at]!) ? 2 : 1
    return args.slice(0, at).every(isPlainArgument) && like(args.slice(at), use)
  }
}

/** Without names, what the project asks for; else packages that may be named. `isOpen`: anybody may publish there. */
function installs(verbs: string, { isOpen = true } = {}): CommandClass {
  const names = verbs.split(' ')
  return ([verb = '', ...rest], use) =>
    names.includes(verb) &&
    rest.every((word, index) => {
      if (word.startsWith('-')) return !elsewhere.test(word)
      if (namesGroup.test(rest[index - 1] ?? '')) return isPlainArgument(word)
      return isOpen ? mayInstall(word, use.missing) : curatedName.test(word)
    })
}

/** No file that holds a package. */
const curatedName = /^(?!.*\.(?:deb|rpm|apk|pkg|tgz|gz|whl)$)[a-z\d][\w.+-]*(?:[@=][\w.~+-]+)?$/i

/** Targets and scripts of the project, except those that publish or destroy. */
function targets(like: CommandClass): CommandClass {
  return (args, use) =>
    args.every((word, index) => !isTarget(word, args[index - 1]) || !namesDanger(word)) &&
    args.every((word) => !/^[A-Za-z_]\w*=/.test(word) || whyVariableIsHeld(word) === undefined) &&
    like(args, use)
}

/** Neither an option, nor what an option is given, nor a path. */
function isTarget(word: string, before = ''): boolean {
  return !/^-|[/=]|\.\w{1,4}$/.test(word) && !/^-(?:-[\w-]+|[tkgn])$/.test(before)
}

/** They change where a package goes. */
const elsewhere = /^(?:-g|--(?:global|location|prefix|target|root|path|git|dir)(?:=.*)?|-t)$/
const namesGroup = /^(?:-w|-F|-G|--(?:workspace|filter|group|with|without|extra|features|package))$/

function either(...classes: CommandClass[]): CommandClass {
  return (args, use) => classes.some((one) => one(args, use))
}

const nodeScripts = verbs(
  ...'run test t start build lint check typecheck format fmt dev ls list why outdated view info audit rebuild dedupe pkg'.split(
    ' ',
  ),
)
const nodePackages: CommandClass = after(
  /^(?:-r|-s|--(?:silent|recursive|workspaces|if-present|workspace-root|stream|parallel))$|^--(?:workspace|filter|dir|cwd)=/,
  /^(?:-w|-F|-C|--(?:filter|workspace|dir|prefix|cwd))$/,
  either(
    installs('ci install i add'),
    (args, use) => args[0] === 'workspace' && isPlainArgument(args[1] ?? '/') && nodePackages(args.slice(2), use),
    targets(without(/^(?:set|fix|exec)$/, nodeScripts)),
  ),
)
const scripts: CommandClass = (args) => {
  const at = args.findIndex((word) => !word.startsWith('-'))
  const flags = args.slice(0, Math.max(0, at))
  return (
    at >= 0 &&
    /^(?:\.\/)?[\w@-][\w@./-]*\.(?:[cm]?[jt]s|py|rb|php|sh|pl)$/.test(args[at]!) &&
    flags.every((flag) => harmlessScriptFlags.test(flag)) &&
    !namesDanger(args[at]!.replace(/^.*\/|\.\w+$/g, '')) &&
    !args.slice(at + 1).some((word) => /^-[ce]$/.test(word) || (isTarget(word) && namesDanger(word))) &&
    inProject(args)
  )
}
const harmlessScriptFlags =
  /^(?:--test(?:-[\w-]+)?|--check|--watch|--no-warnings|--experimental-[\w-]+|--enable-source-maps|--max-old-space-size=\d+|-u|-B|-x|-v|-E)$/
/** A plugin that is loaded by its name may be anybody's. */
const pytest: CommandClass = (args) =>
  inProject(args) &&
  args.every((word, index) => (args[index - 1] === '-p' ? /^no:/.test(word) : !/^-p(?!no:).+/.test(word)))
const pythonModules = without(/^-c$/, (args, use) => {
  const [flag, name = '', ...rest] = args
  if (flag !== '-m') return false
  if (name === 'pip') return pip(rest, use)
  if (name === 'pytest') return pytest(rest, use)
  return (
    /^(?:unittest|venv|build|mypy|ruff|black|isort|flake8|pylint|coverage|compileall|py_compile|tox|nox|alembic|json\.tool)$/.test(
      name,
    ) && inProject(rest)
  )
})
/** Files of requirements, and the project itself. */
const ownRequirements: CommandClass = ([verb, ...rest]) =>
  verb === 'install' &&
  rest.length > 0 &&
  rest.every(
    (word) =>
      isPlainArgument(word) &&
      ((word.startsWith('-') && !elsewhere.test(word)) ||
        /^(?:\.|(?:\.\/)?[\w./-]*\.(?:txt|in)|\.\[[\w,-]+\])$/.test(word)),
  )
const pip = either(installs('install'), ownRequirements, verbs('list', 'show', 'freeze', 'check'))
const git: CommandClass = (given, { same }) => {
  const args = given[0] === '-C' && isPlainArgument(given[1] ?? '/') ? given.slice(2) : given
  const [verb = '', ...rest] = args
  const isPlain = rest.every(
    (word) =>
      isPlainArgument(word) &&
      !/^(?:-c|-f|-m|-F|-D|-d|-x|-O\S*|-X\S*|--strategy\S*|--orphan|--discard-changes|--amend|--edit\S*|--output\S*|--ext-diff|--textconv|--remote|--contents\S*)$/.test(
        word,
      ) &&
      !/^[+:]|:/.test(word),
  )
  if (!isPlain) return false
  const [first = ''] = rest.filter((word) => !word.startsWith('-'))
  switch (verb) {
    case 'submodule':
      return /^(?:update|init|sync|status)$/.test(first)
    case 'lfs':
      return /^(?:pull|install|fetch|ls-files)$/.test(first)
    case 'stash':
      return /^(?:|push|list|show|pop|apply|-u)$/.test(rest[0] ?? '')
    case 'worktree':
      return /^(?:list|add|prune)$/.test(first)
    case 'branch':
    case 'remote':
      return rest.every((word) => /^(?:-v+|-a|-r|--list|--show-current)$/.test(word))
    case 'config':
      return /^(?:--get|--list|-l)$/.test(rest[0] ?? '')
    // A name with an extension is a file, whose changes would be lost.
    case 'checkout':
      return rest.length <= 2 && !rest.some((word) => /^(?:-\w*f\w*|--|\.|\*|.*\.\w{1,5})$/.test(word))
    case 'commit':
      return !rest.some((word) => /^-\w*[nmFCc]/.test(word))
    // Publishes, so it is told only to who works with what is published.
    case 'push':
      return (
        !rest.some((word) => /^-\w*[fdo]/.test(word)) &&
        ownRemote.test(first) &&
        same.some((one) => /^(?:git|git push|gh|gh \S+)$/.test(one))
      )
    case 'reflog':
      return /^(?:|show|-.*|HEAD\S*)$/.test(first)
    case 'fetch':
    case 'pull':
      return ownRemote.test(first)
    default:
      return /^(?:status|diff|log|show|rev-parse|ls-files|ls-tree|merge-base|describe|blame|shortlog|rev-list|rebase|merge|cherry-pick|switch|add|revert)$/.test(
        verb,
      )
  }
}
const ownRemote = /^(?:|origin|upstream)$/
const gh: CommandClass = (args) => {
  const [noun = '', verb = ''] = args
  if (noun === 'api')
    return (
      /^\/?(?:repos|orgs|users|search)\/[\w./?=&%:{}-]*$/.test(verb) &&
      args.slice(2).every((word) => /^(?:--paginate|--silent|-i|--jq|-q|\.[\w.[\]]*)$/.test(word))
    )
  const reads = /^(?:view|list|diff|checks|status|search|watch|code|issues|prs|repos)$/.test(verb) || noun === 'status'
  if (noun === 'auth') return args.length === 2 && verb === 'status'
  return /^(?:pr|issue|run|repo|release|workflow|label|status|search)$/.test(noun) && reads && inProject(args)
}
const compose = after(
  /^--(?:file|project-name|profile)=|^--(?:all-resources|compatibility)$/,
  /^(?:-f|-p|--(?:file|project-name|profile|env-file))$/,
  without(
    /^-(?:v|-volumes|-rmi\S*)$/,
    verbs('up', 'down', 'ps', 'logs', 'build', 'start', 'restart', 'stop', 'pull', 'config'),
  ),
)
/** Of the project, not of an address. */
const container = either(
  without(
    /^--(?:build-context|secret|ssh|output|add-host|network)\b/,
    verbs('ps', 'logs', 'images', 'start', 'restart', 'version', 'info', 'inspect', 'build'),
  ),
  (args, use) => args[0] === 'compose' && compose(args.slice(1), use),
)
const service = verbs('start', 'restart', 'status', 'list', 'is-active')
const go: CommandClass = (args, use) => {
  const [verb = '', ...rest] = args
  const [first = ''] = rest.filter((word) => !word.startsWith('-'))
  if (!inProject(args) || rest.includes('-w')) return false
  if (verb === 'mod') return /^(?:tidy|download|verify|vendor|graph|why)$/.test(first)
  if (verb === 'get') return rest.every((word) => word.startsWith('-') || mayInstall(word, use.missing))
  // Other paths are fetched and run.
  if (verb === 'run' || verb === 'install')
    return /^(?:\.|[\w-]+\.go$)/.test(first) && !rest.some((word) => /@/.test(word) || namesDanger(word))
  if (verb === 'clean') return rest.join() === '-testcache'
  return /^(?:build|test|vet|fmt|generate|env|list|version|doc)$/.test(verb)
}
const cargo = after(
  /^\+(?:stable|beta|nightly(?:-\d{4}-\d\d-\d\d)?|\d+\.\d+(?:\.\d+)?)$|^-q$/,
  /^$/,
  without(
    /^--config\b/,
    either(
      installs('install add'),
      verbs(...'build test check clippy fmt fetch nextest bench doc tree metadata update'.split(' ')),
      targets(verbs('run', 'xtask')),
    ),
  ),
)
/** Connects to this machine and shows what there is. */
const database: CommandClass = (args) =>
  args.every((word, index) => {
    const before = args[index - 1] ?? ''
    if (/^(?:-c|--command|-e)$/.test(before)) return shows.test(word)
    if (/^(?:-h|--host)$/.test(before)) return /^(?:localhost|127\.0\.0\.1|\/var\/run\/postgresql)$/.test(word)
    return (
      isPlainArgument(word) &&
      !/^(?:-f|-o|-L|--(?:file|output|log-file|init-command|load\S*)\b.*)$/.test(word) &&
      (word.startsWith('-') || /^\w[\w-]*(?:\.\w+)?$/.test(word) || isLocalUrl(word) || shows.test(word))
    )
  })
const shows =
  /^(?:\\(?:d\w*|l|conninfo)\+?(?: [\w.*]+)?|\.(?:tables|schema|databases)(?: \w+)?|(?:select (?:1|version\(\)|now\(\))|show (?:tables|databases))\s*;?)$/i
/** Reads, in the place of a subcommand: `aws s3 ls`, `fly status`. */
const cloudReads: CommandClass = (args) =>
  inProject(args) &&
  args
    .filter((word) => !word.startsWith('-'))
    .slice(0, 3)
    .some((word) => /^(?:ls|list|describe|show|status|logs?|whoami|version|preview|diff|validate)$/.test(word))
const localRequest: CommandClass = (args) =>
  args.every(
    (word) =>
      /^(?:-[sSfiILv]+|--(?:silent|fail|head|include|location|show-error))$/.test(word) ||
      /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/[\w./?=&%-]*)?$/.test(word),
  )

const readsOwn = (files: readonly string[]) => inProject(files) && !files.some((file) => secretFile.test(file))

const table: [programs: string, CommandClass][] = [
  ['pwd which type df date whoami uname hostname nproc true false sleep popd ps lsof pgrep', anywhere],
  ['cd pushd', inProject],
  ['ls stat file du tree wc', inProject],
  ['head tail cat grep egrep rg', without(secretFile, without(/^--pre\b/, inProject))],
  ['find', without(/^-(?:exec\S*|ok\S*|delete|fprint\S*|fls)$/, inProject)],
  ['mkdir touch', inProject],
  ['sed', ([flag, range = '', ...files]) => flag === '-n' && /^\d+(?:,(?:\d+|\$))?p$/.test(range) && readsOwn(files)],
  ['command', (args) => args.length === 2 && args[0] === '-v' && isPlainArgument(args[1]!)],
  [
    'echo',
    (args) =>
      args.every((word) => /^(?:[-=]*|\$\?|[-=]*\w{1,12}(?: \w{1,12})?[-=]*|\w+=\$\?)$/.test(word)) && args.length <= 2,
  ],
  [
    'export set',
    (args) =>
      args.every(
        (word) =>
          /^(?:-[eux]+|-o|pipefail)$/.test(word) || (/^[A-Z_]\w*=/.test(word) && whyVariableIsHeld(word) === undefined),
      ),
  ],
  ['source .', (args) => args.length === 1 && /^(?:\.\/)?\.?(?:venv|env)\/bin\/activate$/.test(args[0]!)],
  ['npm pnpm yarn bun', nodePackages],
  [
    'npx bunx pnpx',
    targets(
      (args) =>
        /^(?:tsc|tsx|ts-node|vitest|jest|mocha|eslint|prettier|biome|@biomejs\/biome|playwright|prisma|vite|next|turbo|nx|lerna|changeset|drizzle-kit|knex|typeorm|markdownlint\S*|stylelint|svelte-check|vue-tsc|astro|webpack|rollup|esbuild|cypress)$/.test(
          args.find((word) => !/^(?:--no-install|--no)$/.test(word)) ?? '',
        ) && inProject(args),
    ),
  ],
  [
    'node tsx ts-node bun deno ruby php perl',
    either(
      scripts,
      (args) => args.length > 0 && args.every((word) => informs.test(word)),
      (args) => args.includes('--test') && args.every((word) => harmlessScriptFlags.test(word)),
    ),
  ],
  ['deno', verbs('task', 'test', 'check', 'lint', 'fmt', 'cache')],
  ['python python3', either(pythonModules, scripts, (args) => args.every((word) => informs.test(word)))],
  ['bash sh zsh', without(/^-/, scripts)],
  ['pip pip3', pip],
  [
    'uv',
    either(
      installs('add'),
      verbs('sync', 'lock', 'venv', 'tree'),
      (args, use) => args[0] === 'pip' && pip(args.slice(1), use),
    ),
  ],
  ['poetry pipenv pdm', either(installs('install add'), verbs('lock', 'check', 'show', 'sync'))],
  ['bundle', either(verbs('install', 'check', 'list'), installs('add'))],
  ['gem', installs('install')],
  [
    'composer',
    either(
      installs('install require'),
      targets(verbs('dump-autoload', 'validate', 'test', 'run', 'run-script', 'check')),
    ),
  ],
  ['cargo', cargo],
  ['go', go],
  [
    'make gmake just task rake gradle ./gradlew mvn ./mvnw ant sbt ninja meson bazel buck2 invoke nox tox',
    targets(without(/^(?:.*\|.*|\.?SHELL\w*=.*|MAKE\w*=.*|--eval\b.*|-E.*|-x|[\w.-]+:[\w.-]+:.*)$/, inProject)),
  ],
  ['mise asdf', without(/[:/]/, verbs('install', 'trust', 'ls', 'list', 'current', 'which', 'doctor'))],
  ['mise', targets(verbs('run', 'r'))],
  ['rustup', verbs('component', 'target', 'show', 'toolchain', 'update')],
  [
    'nvm fnm volta pyenv rbenv',
    (args, use) =>
      args
        .slice(1)
        .every((word) => /^(?:-.*|(?:node@)?v?\d[\d.]*|node|lts(?:\/\w+)?|stable|latest|system)$/.test(word)) &&
      verbs('use', 'install', 'ls', 'list', 'local', 'current')(args, use),
  ],
  ['corepack', verbs('enable', 'prepare')],
  [
    'dotnet mix rails swift flutter dart zig stack cabal lein',
    targets(
      without(
        /^(?:-e|-c|--eval)$/,
        verbs(
          ...'build test run restore format deps.get ecto.create ecto.migrate compile db:migrate db:create db:setup spec pub analyze check'.split(
            ' ',
          ),
        ),
      ),
    ),
  ],
  [
    'tsc vitest jest mocha ava eslint prettier biome oxlint stylelint ruff black isort flake8 mypy pyright pylint golangci-lint gofmt goimports gofumpt staticcheck shellcheck shfmt hadolint rspec rubocop phpunit phpstan pest ctest cmake swiftlint swiftformat ktlint clang-format clang-tidy markdownlint markdownlint-cli2 actionlint yamllint vale playwright cypress vite svelte-check vue-tsc tflint',
    without(/^-E$/, inProject),
  ],
  ['pytest py.test', pytest],
  ['turbo nx', targets(inProject)],
  [
    'prisma alembic knex drizzle-kit sqlx diesel',
    targets(verbs('generate', 'migrate', 'upgrade', 'current', 'history', 'status', 'validate', 'db')),
  ],
  ['terraform tofu', verbs('init', 'validate', 'plan', 'fmt', 'show')],
  [
    'kubectl helm',
    after(
      /^--(?:context|namespace)=/,
      /^(?:-n|--(?:context|namespace|kube-context))$/,
      without(
        /^(?:secrets?|cm|configmaps?)(?:\/|$)/,
        verbs('get', 'describe', 'logs', 'version', 'lint', 'template', 'list', 'status'),
      ),
    ),
  ],
  ['docker podman', container],
  ['psql sqlite3 mysql mariadb', database],
  ['docker-compose', compose],
  ['systemctl', service],
  [
    'service brew',
    (args, use) =>
      (args.length === 2 && args.every(isPlainArgument) && /^(?:start|restart|status)$/.test(args[1]!)) ||
      (args[0] === 'services' && service(args.slice(1), use)) ||
      (args.every((word) => !word.includes('/')) && installs('install', { isOpen: false })(args, use)),
  ],
  [
    'apt-get apt apk dnf yum',
    either(
      after(
        /^-(?:y|q+|-yes|-quiet|-no-install-recommends|-no-cache)$/,
        /^$/,
        installs('install add', { isOpen: false }),
      ),
      verbs('update'),
    ),
  ],
  [
    'pg_ctl pg_isready redis-server createdb initdb',
    without(/^(?:-[om]|--\w*command\w*|stop|kill|promote)$/i, inProject),
  ],
  ['redis-cli', (args) => args.every((word) => /^(?:-p|\d+|-h|localhost|127\.0\.0\.1|ping|info|dbsize)$/i.test(word))],
  ['aws gcloud gsutil az heroku fly flyctl vercel netlify wrangler firebase pulumi cdk sam doctl railway', cloudReads],
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
