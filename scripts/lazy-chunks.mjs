// Rewrites esbuild's ES module chunks to CommonJS that requires other modules on first use.
// CommonJS modules start in a third of the time, and a command then only loads what it runs.
// Relies on the shape of esbuild's output (0.28): `var import_x = __toESM(require("x"))`.
import { transform } from 'esbuild'
import { parseAst } from 'vite'

/** The entry stays an ES module and requires its one chunk, which is CommonJS. */
export function requireChunk(entry) {
  const [before, after, ...more] = entry.split('await import(')
  if (after === undefined || more.length > 0) throw new Error('The entry must have exactly one dynamic import')
  return `${before}process.getBuiltinModule('node:module').createRequire(import.meta.url)(${after}`
}

/** Converts a chunk to CommonJS with lazy imports. */
export async function makeLazy(module, target) {
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
  return deferRequires(code)
}

/**
 * Replaces top-level imports by functions that require on the first call, and every use by a call.
 * Works on the syntax tree, so equal names in strings, patterns and properties are not changed.
 */
export function deferRequires(code) {
  const { body } = parseAst(code)
  const imports = new Map(body.flatMap((statement) => deferredImport(statement, code)))
  const edits = [...imports.values()]
  for (const statement of body) {
    if (!edits.some(({ start }) => start === statement.start)) edits.push(...usesOf(statement, imports))
  }
  // From the end, so that earlier positions stay valid.
  return edits.sort((a, b) => b.start - a.start).reduce((text, edit) => applyEdit(text, edit), code)
}

/** Matches `var import_x = __toESM(require("x"))` and returns the edit that defers it. */
function deferredImport(statement, code) {
  const [declaration, another] = statement.type === 'VariableDeclaration' ? statement.declarations : []
  const name = declaration?.id.name
  if (another || !/^import_\w+$/.test(name ?? '') || !declaration.init) return []
  const required = code.slice(declaration.init.start, declaration.init.end)
  if (!/^(?:__toESM\()?require\("[^"]+"\)(?:, 1)?\)?$/.test(required)) return []
  const { start, end } = statement
  return [[name, { start, end, text: `var loaded_${name}; const ${name} = () => (loaded_${name} ??= ${required});` }]]
}

function usesOf(node, imports) {
  if (Array.isArray(node)) return node.flatMap((one) => usesOf(one, imports))
  if (typeof node?.type !== 'string') return []
  if (node.type === 'Identifier')
    return imports.has(node.name) ? [{ start: node.start, end: node.end, text: `(${node.name}())` }] : []
  const isNamed = !node.computed && (node.type === 'MemberExpression' || 'key' in node)
  const label = isNamed ? (node.type === 'MemberExpression' ? 'property' : 'key') : undefined
  // `{ import_x }` would need two names; esbuild does not write it.
  if (node.shorthand && imports.has(node.key.name)) throw new Error(`Unsupported shorthand property ${node.key.name}`)
  return Object.entries(node).flatMap(([part, inner]) => (part === label ? [] : usesOf(inner, imports)))
}

function applyEdit(text, { start, end, text: replacement }) {
  return text.slice(0, start) + replacement + text.slice(end)
}
