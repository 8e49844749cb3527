import { describe, expect, it } from 'vitest'
import { moduleOf } from './modules.ts'

describe('moduleOf', () => {
  it.each([
    // Python
    ['boltons/iterutils.py', 'iterutils', ''],
    ['tests/test_iterutils.py', 'iterutils', ''],
    ['retryx/retry.py', 'retry', 'retryx'],
    ['/home/dev/boltons/edgecache/keys.py', 'keys', 'edgecache'],
    ['billing/__init__.py', 'billing', ''],
    // TypeScript
    ['src/wiki/build.ts', 'build', 'wiki'],
    ['src/wiki/build.test.ts', 'build', 'wiki'],
    ['packages/server/src/index.ts', 'server', ''],
    ['src/__tests__/Retry.spec.tsx', 'Retry', ''],
    // Rust
    ['crates/parser/src/lexer.rs', 'lexer', ''],
    ['src/parser/mod.rs', 'parser', ''],
    // Go
    ['internal/store/ledger.go', 'ledger', 'store'],
    ['internal/store/ledger_test.go', 'ledger', 'store'],
    ['cmd/shipctl/main.go', 'shipctl', ''],
    // Others
    ['src/main/java/app/RetryTest.java', 'Retry', ''],
    ['C:\\Users\\dev\\app\\src\\sync\\Push.cs', 'Push', 'sync'],
    ['pyproject.toml', 'pyproject.toml', ''],
    ['docs/AGENTS.md', 'AGENTS.md', ''],
  ])('%s is %s', (path, name, folder) => {
    expect(moduleOf(path, 'boltons')).toEqual({ name, folder })
  })

  it.each([
    'package-lock.json',
    'docs/2026-02-06-state-machine-plan.md',
    'boltons/__init__.py',
    'tests/conftest.py',
    '.venv/lib/requests.py',
    'logo.png',
    'src/main.ts',
    '',
  ])('ignores %s', (path) => {
    expect(moduleOf(path, 'boltons')).toBeUndefined()
  })
})
