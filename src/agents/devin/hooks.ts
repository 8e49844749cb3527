// Devin CLI, hooks as documented in 2026; not tried. Their format is that of Claude Code, whose own
// hooks it runs too. A payload names neither the folder nor a transcript; a variable has the folder.
import { join } from 'node:path'
import { groupedHooks } from '../hook-groups.ts'
import { applicationData } from '../user-folders.ts'

export const devinHooks = groupedHooks({
  events: { SessionStart: 'start', Stop: 'turn', SessionEnd: 'end' },
  home: (machine) =>
    machine.platform === 'win32' ? join(applicationData(machine), 'devin') : join(machine.home, '.config', 'devin'),
  file: 'config.json',
  sender: {
    variable: 'DEVIN_PROJECT_DIR',
    folderVariable: 'DEVIN_PROJECT_DIR',
    recognises: () => false, // the variable has named it before
  },
})
