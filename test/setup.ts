// Runs before every test file: fast-check draws from the seed of the test run.
import fc from 'fast-check'
import { seed } from './random.ts'

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })
