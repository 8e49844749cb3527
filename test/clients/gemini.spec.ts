import { gemini } from './agents/gemini.ts'
import { clientContract } from './contract.ts'
import { storeDeleted } from './troubles.ts'

clientContract(gemini, [storeDeleted])
