// Variables in front of a command. What they contain decides what is loaded, run and trusted, so a
// value is told only if it is a plain word, a number, an address of this machine or a usual folder.
import { isInside, isLocalUrl } from './arguments.ts'

/** The reason not to tell `NAME=value`. */
export function whyVariableIsHeld(variable: string): string | undefined {
  const [, name = '', value = ''] = /^(\w+)\+?=([\s\S]*)$/.exec(variable) ?? []
  const reason = `the variable ${name.slice(0, 40)}`
  const own = ownForms.find(([names]) => names.test(name))
  if (own) return own[1].test(value) ? undefined : reason
  if (refusedNames.test(name)) return reason
  if (value.includes('://')) return isLocalUrl(value) ? undefined : reason
  return value === '' || isPlainValue(value) ? undefined : reason
}

function isPlainValue(value: string): boolean {
  if (/[^\w.,:+*@%/=-]/.test(value) || value.startsWith('-')) return false
  if (isHost.test(value)) return false
  return isInside(value) || /^\/(?:usr|opt|lib|Library|Applications)\/[\w./@+-]+$|^\/(?:tmp|dev\/null)$/.test(value)
}

/** `evil.example`, `10.0.0.9:80`; a file such as `app.yml` is none. */
const isHost =
  /(?:^|[@:,=])(?!localhost\b|127\.0\.0\.1\b|0\.0\.0\.0\b)(?:(?:[\w-]+\.)+(?!(?:ya?ml|json|toml|[cm]?[jt]sx?|py|rb|db|sqlite|txt|log|lock|conf|ini)\b)[a-z]{2,}|\d+\.\d+\.\d+\.\d+)(?::\d+)?(?:\/|$)/i

/** Names whose harmless values have a form of their own. */
const ownForms: [names: RegExp, value: RegExp][] = [
  [
    /^NODE_OPTIONS$/,
    /^(?:(?:--max-old-space-size=\d+|--experimental-[\w-]+|--no-warnings|--enable-source-maps|--trace-[\w-]+)\s*)+$/,
  ],
  [
    /^(?:HOST)?(?:CC|CXX|CPP|LD|AR|AS|FC|LINKER)$/,
    /^(?:(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|gfortran|musl-gcc)(?:-\d+)?|(?:llvm-|gcc-)?ar|ld|lld|ld\.lld|mold)$/,
  ],
  [/^PYTHONPATH$/, /^(?!\/)(?:\.|(?:\.\/)?[\w-]+(?:\/[\w-]+)*)(?::(?:\.|(?:\.\/)?[\w-]+(?:\/[\w-]+)*))*$/],
  [/^GIT_CONFIG_(?:GLOBAL|SYSTEM)$/, /^\/dev\/null$/],
  [/^GIT_(?:AUTHOR|COMMITTER)_(?:NAME|DATE)$/, /^[\w :.+-]{0,60}$/],
  [/^(?:GIT_)?PAGER$/, /^(?:cat|)$/],
  [/^GIT_TERMINAL_PROMPT$|^GIT_CONFIG_NOSYSTEM$/, /^[01]$/],
  [/^(?:GIT_)?EDITOR$|^GIT_SEQUENCE_EDITOR$/, /^(?:true|:)$/],
]

/** They change what is loaded, run, trusted, or where packages come from. */
const refusedNames =
  /^(?:LD_\w+|DYLD_\w+|PATH|IFS|ENV|HOME|ZDOTDIR|BASH_ENV|PROMPT_COMMAND|SHELL|EDITOR|VISUAL|BROWSER|NODE_(?:TLS\w*|EXTRA\w*|PATH)|PYTHON(?:STARTUP|HOME|HTTPSVERIFY|INSPECT)|PERL5\w*|RUBY(?:OPT|LIB)|\w*JAVA_(?:TOOL_)?OPT\w*|JAVA_OPTS|(?:GRADLE|MAVEN)_OPTS|MAKEFLAGS|GIT_\w+|SSH_\w+|npm_config_\w+|YARN_\w+|COREPACK_\w+|\w*CA_(?:BUNDLE|CERTS?|FILE|PATH)\w*|SSL_\w+|CURL_\w+|LESSOPEN|\w*PLUGINS?|PIP_\w+|UV_\w+|POETRY_\w+|BUNDLE_\w+|GO(?:PROXY|FLAGS|NOSUM\w*|NOSUMDB|SUMDB|INSECURE|PRIVATE|ENV|ROOT|TOOLCHAIN)|CARGO_\w+|RUSTC\w*|RUSTFLAGS|PYTEST_(?:ADDOPTS|PLUGINS)|DOCKER_HOST|KUBECONFIG|TF_\w+|\w*PROXY|\w*(?:REGISTRY|INDEX_URL|MIRROR)\w*|\w*(?:INSECURE|UNSAFE|NO_VERIFY|SKIP_\w*(?:VERIFY|CHECK|HOOK|TEST|SIGN)|DANGEROUS|DISABLE_(?:AUTH|SECURITY|SANDBOX|VERIF))\w*|\w*(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|CREDENTIAL)\w*|AWS_\w+|HUSKY|SKIP|(?:RECOLLECT|CLAUDE|CODEX|GEMINI|ANTHROPIC|OPENAI)\w*)$/i
