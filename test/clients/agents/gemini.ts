// Gemini CLI 0.61, configured not to use the network. Without yolo it hides the shell tool from the model.
import type { Client } from '../client.ts'
import { gemini as protocol } from '../protocols/gemini.ts'

export const gemini: Client = {
  name: 'gemini',
  agent: 'gemini-cli',
  protocol,
  hooksFile: '.gemini/settings.json',
  settings: () => ({ '.gemini/settings.json': `${JSON.stringify(settings, null, 2)}\n` }),
  env: (_, url) => ({
    GEMINI_API_KEY: 'mock',
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_CLI_NO_RELAUNCH: 'true',
  }),
  args: (prompt, { resume, more = [] }) => [
    '-p',
    prompt,
    '-o',
    'json',
    '--approval-mode',
    'yolo',
    ...(resume ? ['--resume', resume] : []),
    ...more,
  ],
}

/**
 * Without its cleanup: a session that is resumed in another minute leaves an empty file, which 0.61 takes for damaged at
 * its next start, and deletes together with all other files of that session.
 */
const settings = {
  general: { disableAutoUpdate: true, enableAutoUpdate: false, sessionRetention: { enabled: false } },
  privacy: { usageStatisticsEnabled: false },
  security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
  telemetry: { enabled: false },
}
