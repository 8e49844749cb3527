// Rewrites esbuild's ES modules to functions that load other modules on first use, so that a
// command only runs the code that it needs. scripts/packs.mjs puts them into files.
// Relies on the shape of esbuild's output (0.28): `var import_x = __toESM(require("x"))`.
import { transform } from 'esbuild'
import { parseAst } from 'vite'

/** The entry stays an ES module and requires the first pack, which is CommonJS. */
export function requireStart(entry) {
  const parts = entry.split(/await import\("[^"]+"\)/)
  if (parts.length !== 2) throw new Error('The entry must have exactly one dynamic import')
  return parts.join(`process.getBuiltinModule('node:module').createRequire(import.meta.url)("./chunks/load.js")`)
}

/**
 * The body of a function that gets the object for its exports as `stdin_exports`, calls
 * `__load(number)` for other modules and uses the helpers in `moduleHelpers`.
 */
export async function makeLazy(module, { target, numberOf }) {
  const { code } = await transform(module, {
    format: 'cjs',
    platform: 'node',
    target,
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': '__url' },
    banner: module.includes('import.meta.url')
      ? "const __url = require('node:url').pathToFileURL(__filename).href;"
      : '',
  })
  const lazy = deferRequires(code, numberOf)
  return (await transform(lazy, { minify: true, target })).code
}

/** What esbuild writes into every CommonJS module, once for all modules of a file. */
export const moduleHelpers = `
const __export = (target, all) => {
  for (const name in all) Object.defineProperty(target, name, { get: all[name], enumerable: true });
};
const __toESM = (module) => module.__esModule ? module : Object.create(module, { default: { value: module } });
`

const helperNames =
  /^__(?:create|defProp|getOwnPropDesc|getOwnPropNames|getProtoOf|hasOwnProp|export|copyProps|toESM|toCommonJS)$/

/**
 * Replaces top-level imports by functions that load on the first call, and every use by a call.
 * Works on the syntax tree, so equal names in strings, patterns and properties are not changed.
 */
export function deferRequires(code, numberOf) {
  const body = parseAst(code).body.map((statement) => ({ statement, edit: editOf(statement, code, numberOf) }))
  const imports = new Map(body.flatMap(({ edit }) => (edit?.name ? [[edit.name, edit]] : [])))
  const uses = body.flatMap(({ statement, edit }) => (edit ? [] : usesOf(statement, { imports, numberOf })))
  const used = new Set(uses.map(({ name }) => name))
  // esbuild imports every module below for its side effects; ours have none.
  const isUnused = ({ name }) => name !== undefined && !used.has(name)
  const edits = body.flatMap(({ edit }) => (edit ? [isUnused(edit) ? { ...edit, text: '' } : edit] : [])).concat(uses)
  // From the end, so that earlier positions stay valid.
  return edits.sort((a, b) => b.start - a.start).reduce((text, edit) => applyEdit(text, edit), code)
}

/** The edit of a whole statement: of an import, or of what esbuild adds to a module. */
function editOf(statement, code, numberOf) {
  const { start, end } = statement
  const text = code.slice(start, end)
  const isAdded = /^(?:var stdin_exports = \{\}|module\.exports = __toCommonJS\(|0 && \(module\.exports = )/.test(text)
  if (isAdded) return { start, end, text: '' }
  const [declaration, another] = statement.type === 'VariableDeclaration' ? statement.declarations : []
  const name = declaration?.id.name
  if (another || !name || !declaration.init) return undefined
  if (helperNames.test(name)) return { start, end, text: '' }
  if (!/^import_\w+$/.test(name)) return undefined
  const required = /^(__toESM\()?require\("([^"]+)"\)(?:, 1)?\)?$/.exec(
    code.slice(declaration.init.start, declaration.init.end),
  )
  if (!required) return undefined
  const loaded = required[1] ? `__toESM(${loadOf(required[2], numberOf)})` : loadOf(required[2], numberOf)
  return { start, end, name, text: `var loaded_${name}; const ${name} = () => (loaded_${name} ??= ${loaded});` }
}

function loadOf(path, numberOf) {
  return path.startsWith('.') ? `__load(${numberOf(path)})` : `require("${path}")`
}

function usesOf(node, context) {
  if (Array.isArray(node)) return node.flatMap((one) => usesOf(one, context))
  if (typeof node?.type !== 'string') return []
  const { imports, numberOf } = context
  const { start, end } = node
  if (node.type === 'Identifier')
    return imports.has(node.name) ? [{ start, end, name: node.name, text: `(${node.name}())` }] : []
  if (node.type === 'CallExpression' && node.callee.name === 'require') {
    const path = node.arguments[0]?.value
    return typeof path === 'string' && path.startsWith('.') ? [{ start, end, text: loadOf(path, numberOf) }] : []
  }
  const isNamed = !node.computed && (node.type === 'MemberExpression' || 'key' in node)
  const label = isNamed ? (node.type === 'MemberExpression' ? 'property' : 'key') : undefined
  // `{ import_x }` would need two names; esbuild does not write it.
  if (node.shorthand && imports.has(node.key.name)) throw new Error(`Unsupported shorthand property ${node.key.name}`)
  return Object.entries(node).flatMap(([part, inner]) => (part === label ? [] : usesOf(inner, context)))
}

function applyEdit(text, { start, end, text: replacement }) {
  return text.slice(0, start) + replacement + text.slice(end)
}
