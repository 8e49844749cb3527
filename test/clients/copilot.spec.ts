import { copilot } from './agents/copilot.ts'
import { clientContract } from './contract.ts'
import { ledgerLocked } from './troubles.ts'

clientContract(copilot, [ledgerLocked])
