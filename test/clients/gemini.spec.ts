import { gemini } from './agents/gemini.ts'
import { clientContract } from './contract.ts'
import { storeDeleted } from './store-faults.ts'

clientContract(gemini, [storeDeleted])
