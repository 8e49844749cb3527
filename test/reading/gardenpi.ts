// A session with Aider in a made-up program that waters a garden.
import { type ReadingSession, startedAt } from './session.ts'

export const gardenpi: ReadingSession[] = [
  {
    about: 'Aider with edits and commits',
    script: {
      agent: 'aider',
      project: 'gardenpi',
      startedMs: startedAt('2026-11-03T18:30'),
      steps: [
        { do: 'command', text: '/add water.py', output: 'Added water.py to the chat.' },
        { do: 'say', text: 'dont water if it rained more than 3 mm in the last 12 hours, rain.py has the gauge' },
        { do: 'reply', text: 'I will ask the rain gauge before the valve is opened.' },
        {
          ...{ do: 'edit', path: 'water.py' },
          from: 'def should_water(bed):\n    return bed.is_dry()',
          to: 'def should_water(bed):\n    if rain.last_hours(12) > 3.0:\n        return False\n    return bed.is_dry()',
        },
        { do: 'commit', hash: '5fa21c0', subject: 'feat: Skip watering after rain' },
        {
          do: 'command',
          text: '/run pytest -q',
          output: "F...\nE   NameError: name 'rain' is not defined\n1 failed, 3 passed in 0.11s",
        },
        { do: 'say', text: 'import missing' },
        { do: 'reply', text: 'You are right, `rain` was never imported.' },
        { do: 'edit', path: 'water.py', from: 'import valve', to: 'import rain\nimport valve' },
        { do: 'commit', hash: '9b7730e', subject: 'fix: Import the rain gauge' },
        { do: 'command', text: '/run pytest -q', output: '....\n4 passed in 0.09s' },
      ],
    },
    expected: {
      titleAbout: ['water', 'rain'],
      titleNot: ['^/add', '^import missing'],
      outcome: ['success'],
      kind: 'work',
      project: 'gardenpi',
      firstAsked: ['rain', 'water'],
      lastAsked: ['import'],
      open: '',
      decisions: [],
    },
  },
]
