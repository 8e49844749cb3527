import { copilot } from './agents/copilot.ts'
import { clientContract } from './contract.ts'
import { ledgerLocked } from './store-faults.ts'

clientContract(copilot, [ledgerLocked])
