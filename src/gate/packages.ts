// Packages that may be named in a call that installs them. Anybody may publish in an open registry, so
// a name that a program printed, such as a misspelt one, is a way to run code elsewhere: a package is
// told if the message says that exactly it is missing, or if it is known to everybody.

/** Names that a message says are missing: modules, packages and programs. */
export function missingPackages(error: string): Set<string> {
  const found = missingForms.flatMap((form) => [...error.matchAll(form)].map(([, name = '']) => name))
  return new Set(found.flatMap(packagesOf))
}

const name = String.raw`["'\x60\u2018\u201c]*(@?[\w][\w@./-]*)`
const missingForms = [
  new RegExp(
    String.raw`\b(?:cannot find (?:module|package)|no module named|(?:could not|can't|cannot) resolve|failed to resolve import|no required module provides package|missing go\.sum entry for module providing package|cannot load such file --|unresolved import|can't find crate for|library stubs not installed for|could not find a declaration file for module|no such module|could not find gem|there is no package called|command not found:|failed to spawn:) ${name}`,
    'gi',
  ),
  /(?:^|[\s:])([\w@.-]+): (?:command )?not found\b/gi,
  /["'](@?[\w./-]+)["']?: executable file not found/gi,
]

/** `@scope/name/sub` is of `@scope/name`, `yaml.nodes` of `yaml`; stubs have names of their own. */
function packagesOf(named: string): string[] {
  if (/^[./]/.test(named)) return []
  const parts = named.split('/')
  const whole = named.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]!
  const names = [whole, whole.split('.')[0]!, ...(/^[\w-]+\.[a-z]+\//.test(named) ? [named] : [])]
  return names.flatMap((one) => [plain(one), `@types/${plain(one)}`, `types-${plain(one)}`])
}

/** Registries do not tell `Foo_bar` from `foo-bar`. */
function plain(named: string): string {
  return named.toLowerCase().replace(/_/g, '-')
}

/** Without its version and extras: `@scope/name@1.2`, `name[extra]>=2`. */
export function mayInstall(given: string, missing: ReadonlySet<string>): boolean {
  const named = plain(given.replace(/(?<=.)(?:@|[=<>~!^]=?|\[).*$/, ''))
  return wellKnown.has(named) || missing.has(named)
}

const wellKnown = new Set(
  `typescript tsx ts-node vitest jest ts-jest mocha chai ava tap eslint prettier @biomejs/biome oxlint stylelint vite webpack webpack-cli rollup esbuild
  turbo nx lerna husky lint-staged nodemon rimraf cross-env dotenv playwright @playwright/test cypress puppeteer jsdom happy-dom @types/node @types/react
  @types/react-dom @types/jest react react-dom next vue svelte express fastify hono koa lodash axios zod chalk commander prisma @prisma/client typeorm knex
  drizzle-kit drizzle-orm pg mysql2 sqlite3 better-sqlite3 redis ioredis mongoose mongodb tailwindcss postcss autoprefixer sass sharp node-gyp corepack
  npm pnpm yarn @vitest/coverage-v8 @vitest/ui @testing-library/react @testing-library/jest-dom @eslint/js typescript-eslint
  pip setuptools wheel build twine pytest pytest-cov pytest-asyncio pytest-mock pytest-xdist pytest-django coverage hypothesis tox nox mypy pyright ruff black
  isort flake8 pylint pre-commit poetry pipenv pdm uv hatch virtualenv numpy pandas scipy matplotlib scikit-learn torch tensorflow jupyter ipython
  requests httpx aiohttp flask django fastapi uvicorn gunicorn pydantic sqlalchemy alembic psycopg2 psycopg2-binary psycopg pymysql pyyaml python-dotenv
  beautifulsoup4 lxml pillow openpyxl click typer rich jinja2 celery boto3 cython types-requests types-pyyaml
  cargo-nextest cargo-watch cargo-edit cargo-llvm-cov cargo-deny cargo-audit sqlx-cli diesel-cli wasm-pack wasm-bindgen-cli just
  bundler rake rails rspec rubocop nokogiri puma minitest phpunit/phpunit phpstan/phpstan friendsofphp/php-cs-fixer`
    .split(/\s+/)
    .filter(Boolean),
)
