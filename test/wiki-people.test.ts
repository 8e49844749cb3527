// What people do to articles between two builds: every word of theirs stays, and what is left of ours is right.
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { fixedClock } from '../src/core/clock.ts'
import { forgetMemory } from '../src/learn/forget.ts'
import { rememberStatement } from '../src/learn/remember.ts'
import { moveMemories } from '../src/store/changes.ts'
import type { Ledger } from '../src/store/ledger.ts'
