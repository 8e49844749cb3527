#!/usr/bin/env node
// Compiled code is kept beside the program, where that can be written: it is a third of the time of a short command. What is
// imported here would come before that, so the program itself is imported below.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

if (import.meta.filename.endsWith('cli.js')) enableCompileCache(join(import.meta.dirname, '.cache'))
const { run } = await import('./run.ts')
await run(process.argv)
