// Which project a client works in: what its address says, its first root, or the folder that it started us in.
import { dirname, isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { McpServer } from '@modelcontextprotocol/server'
import type { App } from '../app.ts'
import { findRepository, projectOf } from '../core/project.ts'
import { projectNamed } from '../search/project.ts'
import type { Ledger } from '../store/ledger.ts'
import { projectKeys, projectOfFolder } from '../store/sessions/projects.ts'

export type ClientProject =
  | { kind: 'folder'; folder: string }
  /** A project as a person names it. */
  | { kind: 'named'; project: string }
  | { kind: 'unknown' }

/** In place of a project: all of them. */
export const allProjects = 'all'

/** A client that promises roots and does not tell them works in its folder. */
export async function projectOfClient(server: McpServer, cwd: string): Promise<ClientProject> {
  const folder = (await firstRoot(server)) ?? cwd
  return { kind: 'folder', folder }
}

const patienceMs = 2000

async function firstRoot({ server }: McpServer): Promise<string | undefined> {
  if (!server.getClientCapabilities()?.roots) return undefined
  try {
    const { roots } = await server.listRoots(undefined, { timeout: patienceMs })
    const uri = roots.find((root) => root.uri.startsWith('file://'))?.uri
    return uri === undefined ? undefined : fileURLToPath(uri)
  } catch {
    return undefined
  }
}

interface ProjectContext {
  app: App
  ledger: Ledger
  clientProject: ClientProject
}

/** The project that is asked about; undefined for all of them. */
export function requestedProject(
  { app, ledger, clientProject }: ProjectContext,
  named: string | undefined,
): string | undefined {
  if (named === allProjects) return undefined
  if (named !== undefined) return identity(app, ledger, named)
  switch (clientProject.kind) {
    case 'folder':
      return isNowhere(clientProject.folder, app) ? undefined : identityOfFolder(app, ledger, clientProject.folder)
    case 'named':
      return identity(app, ledger, clientProject.project)
    case 'unknown':
      return undefined
    default:
      return clientProject satisfies never
  }
}

function identity(app: App, ledger: Ledger, named: string): string {
  return isAbsolute(named) ? identityOfFolder(app, ledger, named) : projectNamed(ledger, named, app.config.projects)
}

/** Also of a folder that no session has run in yet. */
function identityOfFolder(app: App, ledger: Ledger, folder: string): string {
  const { key } = projectOf(folder, undefined, app.config.projects)
  return projectKeys(ledger).includes(key) ? key : (projectOfFolder(ledger, folder) ?? key)
}

/** Programs without a project start their servers in the home folder or at the root: that is no project of theirs. */
function isNowhere(folder: string, { machine }: App): boolean {
  return (folder === machine.home || dirname(folder) === folder) && findRepository(folder) === undefined
}
