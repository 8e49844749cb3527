// Pi and the programs that grew out of it.
import type { Agent } from '../agent.ts'
import { findFiles } from '../files.ts'
import { type PiMember, piAgent } from './family.ts'
import { piHandoff, sessionFolders } from './handoff.ts'
import { ohMyPi, ohMyPiFiles, ohMyPiFolders, titleBytes } from './oh-my-pi.ts'
import { pi } from './pi.ts'
import { prime, primeFiles, primeFolders } from './prime.ts'

const members: PiMember[] = [
  {
    id: 'pi',
    name: 'Pi',
    resume: 'pi --session <id>',
    dialect: pi,
    folders: sessionFolders,
    files: (folder) => findFiles(folder, /\.jsonl$/, 1),
    handoff: piHandoff,
  },
  {
    id: 'omp',
    name: 'Oh My Pi',
    aliases: ['oh-my-pi'],
    resume: 'omp --resume <id>',
    dialect: ohMyPi,
    folders: ohMyPiFolders,
    files: ohMyPiFiles,
    rewrittenBytes: titleBytes,
  },
  {
    id: 'prime',
    name: 'Prime Agent',
    aliases: ['prime-agent'],
    resume: 'prime-agent --resume <id>',
    dialect: prime,
    folders: primeFolders,
    files: primeFiles,
  },
]

export const piFamily: readonly Agent[] = members.map(piAgent)
