// Determines the project of a client: from the URL, its first root, or the working directory.

import { dirname, isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import type { App } from '../app.ts'
import { findRepository, projectOf } from '../core/project/project.ts'
import { resolveProject } from '../search/resolve-project.ts'
import type { Ledger } from '../store/ledger.ts'
import { projectKeys, projectOfFolder } from '../store/sessions/projects.ts'

export type ClientProject =
  | { kind: 'folder'; folder: string }
  /** A project name, identity or folder from the URL. */
  | { kind: 'named'; project: string }
  | { kind: 'unknown' }

/** Accepted as project: all projects. */
export const allProjects = 'all'

/** The argument of the tools that work in one project or in all of them. */
export const projectInput = z
  .string()
  .min(1)
  .max(1000)
  .optional()
  .describe(`project name, identity or folder; "${allProjects}" for all (default: the project you work in)`)

/** Falls back to the working directory if the client does not return its roots. */
export async function projectOfClient(server: McpServer, cwd: string): Promise<ClientProject> {
  const folder = (await firstRoot(server)) ?? cwd
  return { kind: 'folder', folder }
}

const rootsTimeoutMs = 2000

async function firstRoot({ server }: McpServer): Promise<string | undefined> {
  if (!server.getClientCapabilities()?.roots) return undefined
  try {
    const { roots } = await server.listRoots(undefined, { timeout: rootsTimeoutMs })
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

/** The project that a call is about; undefined for all projects. */
export function requestedProject(
  { app, ledger, clientProject }: ProjectContext,
  named: string | undefined,
): string | undefined {
  if (named === allProjects) return undefined
  if (named !== undefined) return identity(app, ledger, named)
  switch (clientProject.kind) {
    case 'folder':
      return isOutsideProjects(clientProject.folder, app)
        ? undefined
        : identityOfFolder(app, ledger, clientProject.folder)
    case 'named':
      return identity(app, ledger, clientProject.project)
    case 'unknown':
      return undefined
    default:
      return clientProject satisfies never
  }
}

function identity(app: App, ledger: Ledger, named: string): string {
  return isAbsolute(named) ? identityOfFolder(app, ledger, named) : resolveProject(ledger, named, app.config.projects)
}

/** Works for folders without sessions, too. */
function identityOfFolder(app: App, ledger: Ledger, folder: string): string {
  const { key } = projectOf(folder, undefined, app.config.projects)
  return projectKeys(ledger).includes(key) ? key : (projectOfFolder(ledger, folder) ?? key)
}

/** Clients without a project start servers in the home or root folder, which is not a project. */
function isOutsideProjects(folder: string, { machine }: App): boolean {
  return (folder === machine.home || dirname(folder) === folder) && findRepository(folder) === undefined
}
