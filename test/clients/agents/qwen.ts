// Qwen Code 0.24.4 with an endpoint of one's own.
import type { Client } from '../client.ts'
import { chat } from '../protocols/chat.ts'

export const qwen: Client = {
  name: 'qwen',
  agent: 'qwen-code',
  protocol: chat,
  hooksFile: '.qwen/settings.json',
  settings: () => ({ '.qwen/settings.json': `${JSON.stringify(settings, null, 2)}\n` }),
  env: (_, url) => ({ OPENAI_API_KEY: 'mock', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'mock-model' }),
  args: (prompt, { resume, more = [] }) => [
    ...(resume ? ['--resume', resume] : []),
    '-o',
    'json',
    '--approval-mode',
    'yolo',
    ...more,
    '-p',
    prompt,
  ],
}

const settings = {
  general: { disableAutoUpdate: true, enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
  telemetry: { enabled: false },
}
