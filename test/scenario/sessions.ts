// Six weeks of two developers' sessions in two projects with two agents, made up. Each session says
// what a careful model would keep of it; the expected end states are in test/scenario.test.ts.

export interface ScenarioSession {
  agent: 'claude-code' | 'codex'
  project: 'shop' | 'site'
  /** Day after 2026-08-01; sessions are in order. */
  day: number
  /** What it shows. */
  about: string
  /** Prompt, reply, prompt, reply ... A reply `denied: <reason>` is a tool call that the person refused. */
  talk: string[]
  /** The answer of the model, without the fields that it may leave out. */
  judged?: object[]
}

export const scenario: readonly ScenarioSession[] = [
  {
    ...{ agent: 'claude-code', project: 'shop', day: 0, about: 'a task' },
    talk: ['Add a spinner to the checkout button, then run the tests.', 'Done, the tests pass.'],
  },
  {
    ...{ agent: 'claude-code', project: 'shop', day: 1, about: 'a rule with its reason' },
    talk: [
      'Install the date picker.',
      'I ran npm install date-picker.',
      'No, never use npm in this repository. Always use pnpm, because the lockfile is of pnpm.',
      'Understood.',
    ],
    judged: [
      {
        kind: 'correction',
        text: 'Packages of the shop are installed with pnpm, never with npm, because the lockfile is of pnpm.',
        message: 2,
        quote: 'never use npm in this repository. Always use pnpm, because the lockfile is of pnpm.',
      },
    ],
  },
  {
    ...{ agent: 'codex', project: 'shop', day: 2, about: 'the same rule, said to another agent' },
    talk: ['Add zod. And use pnpm please, never npm, the lockfile is of pnpm.', 'Added with pnpm.'],
    judged: [
      {
        kind: 'correction',
        text: 'Packages of the shop are installed with pnpm, never with npm, because the lockfile is of pnpm.',
        message: 1,
        quote: 'use pnpm please, never npm, the lockfile is of pnpm',
      },
    ],
  },
  {
    ...{ agent: 'codex', project: 'site', day: 3, about: 'an explicit request' },
    talk: [
      'Remember that the site is deployed by the job "publish" on every tag.',
      'I will keep that in mind.',
      'Now fix the typo in the footer.',
      'Fixed.',
    ],
    judged: [
      {
        kind: 'operational',
        text: 'The site is deployed by the job "publish" on every tag.',
        message: 1,
        quote: 'the site is deployed by the job "publish" on every tag',
      },
    ],
  },
  {
    ...{ agent: 'claude-code', project: 'site', day: 4, about: 'sarcasm' },
    talk: ['Great, another broken build. I always love fixing what you break.', 'I am sorry. It builds again.'],
  },
  {
    ...{ agent: 'claude-code', project: 'site', day: 5, about: 'rules of another project, pasted' },
    talk: [
      'What do you think of the contributing guide of their project?\n\n```\n# Contributing\n- Always squash commits before a merge.\n- Never use default exports.\n- Every function must have a doc comment.\n```',
      'It is strict.',
    ],
  },
  {
    ...{ agent: 'claude-code', project: 'site', day: 6, about: 'a hypothesis' },
    talk: ['Maybe we should move to Bun at some point, what would that take?', 'About a day of work.'],
  },
  {
    ...{ agent: 'claude-code', project: 'shop', day: 7, about: 'a decision' },
    talk: [
      'Which database should the cart use?',
      'Redis or SQLite would do.',
      "Let's go with SQLite instead of Redis, because the shop runs on one machine without a server.",
      'I will use SQLite.',
    ],
    judged: [
      {
        kind: 'decision',
        text: 'The cart is stored in SQLite instead of Redis, because the shop runs on one machine without a server.',
        message: 2,
        quote: "Let's go with SQLite instead of Redis, because the shop runs on one machine without a server.",
      },
    ],
  },
  {
    ...{ agent: 'codex', project: 'shop', day: 8, about: 'a confirmed cause' },
    talk: [
      'Why do German customers see English mails?',
      'The cache key of the mail templates does not contain the locale, so the first language wins.',
      'yes that was it, thanks',
      'You are welcome.',
    ],
    judged: [
      {
        kind: 'debugging',
        text: 'Mails in the wrong language came from the template cache: its key did not contain the locale.',
        message: 2,
        quote: 'yes that was it',
        confirms: 2,
      },
    ],
  },
  {
    ...{ agent: 'claude-code', project: 'shop', day: 9, about: 'a habit of the person' },
    talk: [
      'Rename the helper.',
      'Renamed. Summary: I changed one file and two imports.',
      'Please stop summarising what you did after every change, I always read the diff.',
      'I will.',
    ],
    judged: [
      {
        kind: 'preference',
        text: 'Do not summarise changes at the end of an answer; the person reads the diff.',
        message: 2,
        quote: 'stop summarising what you did after every change, I always read the diff',
        everywhere: true,
      },
    ],
  },
  {
    ...{ agent: 'claude-code', project: 'shop', day: 10, about: 'a denied call with a reason' },
    talk: ['Clean up the branch.', 'denied: never force push to main, other people work on it'],
    judged: [
      {
        kind: 'correction',
        text: 'Never force push to main: other people work on it.',
        message: 2,
        quote: 'never force push to main, other people work on it',
      },
    ],
  },
  {
    ...{ agent: 'claude-code', project: 'shop', day: 11, about: 'a secret' },
    talk: [
      'The staging API is at https://staging.shop.example and its key is sk-ant-api03-Zk9fQ2x7Lr5Tn8Wb3Vc6Yd1Hs4Jg0Pm-AbCdEfGh, use it for the smoke tests.',
      'I will use it.',
    ],
    judged: [
      {
        kind: 'fact',
        text: 'The staging API of the shop is at https://staging.shop.example; smoke tests run against it.',
        message: 1,
        quote: 'The staging API is at https://staging.shop.example',
      },
    ],
  },
  {
    ...{ agent: 'codex', project: 'site', day: 12, about: 'German' },
    talk: [
      'Bitte schreibe Commit-Nachrichten immer auf Englisch, weil das Team international ist.',
      'Verstanden.',
      'Danke! Jetzt noch den Titel ändern.',
      'Geändert.',
    ],
    judged: [
      {
        kind: 'preference',
        text: 'Commit-Nachrichten werden immer auf Englisch geschrieben, weil das Team international ist.',
        message: 1,
        quote: 'schreibe Commit-Nachrichten immer auf Englisch, weil das Team international ist',
      },
    ],
  },
  {
    ...{ agent: 'codex', project: 'site', day: 13, about: 'Japanese' },
    talk: ['今後は必ずテストを先に書いてください。', '承知しました。'],
    judged: [
      {
        kind: 'preference',
        text: '今後は必ずテストを先に書く。',
        message: 1,
        quote: '今後は必ずテストを先に書いてください',
      },
    ],
  },
  {
    ...{ agent: 'claude-code', project: 'shop', day: 14, about: 'a change of mind' },
    talk: [
      'We changed our mind about the cart: it moves from SQLite to PostgreSQL now, because we have two machines since Monday.',
      'I will migrate it.',
    ],
    judged: [
      {
        kind: 'decision',
        text: 'The cart is stored in PostgreSQL, because the shop runs on two machines.',
        message: 1,
        quote: 'it moves from SQLite to PostgreSQL now, because we have two machines since Monday',
        supersedes: 'The cart is stored in SQLite',
      },
    ],
  },
  {
    ...{ agent: 'claude-code', project: 'shop', day: 15, about: 'a question that sounds like a rule' },
    talk: ['Why do we never cache the product list?', 'Because prices change every minute.'],
  },
  {
    ...{ agent: 'claude-code', project: 'shop', day: 16, about: 'a correction of one edit' },
    talk: ["don't use the blue one here, use the grey one", 'Changed to grey.'],
  },
  {
    ...{ agent: 'codex', project: 'shop', day: 17, about: 'identifiers are not values' },
    talk: [
      'Note for later: the read replica of region 1 is db-r1.internal, port 5001.',
      'Noted.',
      'And the read replica of region 2 is db-r2.internal, port 5002.',
      'Noted.',
    ],
    judged: [
      {
        kind: 'fact',
        text: 'The read replica of region 1 is db-r1.internal, port 5001.',
        message: 1,
        quote: 'the read replica of region 1 is db-r1.internal, port 5001',
      },
      {
        kind: 'fact',
        text: 'The read replica of region 2 is db-r2.internal, port 5002.',
        message: 2,
        quote: 'the read replica of region 2 is db-r2.internal, port 5002',
      },
    ],
  },
  {
    ...{ agent: 'claude-code', project: 'site', day: 18, about: 'a plan that the agent wrote' },
    talk: [
      'Implement the following plan:\n\n# Plan\n\n## Rules\n- Always validate input at the border.\n- Never log request bodies.\n\n## Steps\n1. Add the validator.',
      'Implemented.',
    ],
  },
  {
    ...{ agent: 'claude-code', project: 'site', day: 19, about: 'a review of a bot, pasted' },
    talk: [
      'coderabbit says:\n\n> **Potential issue**: You should never mutate props. Always copy the array before sorting.\n\nfix it',
      'Fixed.',
    ],
  },
  {
    ...{ agent: 'codex', project: 'site', day: 20, about: 'thanks' },
    talk: ['Make the header sticky.', 'Done.', 'Perfect, thank you!', 'You are welcome.'],
  },
  {
    ...{ agent: 'claude-code', project: 'shop', day: 21, about: 'a value that changes' },
    talk: ['The request timeout of the payment service is 30 seconds, they told us.', 'Noted.'],
    judged: [
      {
        kind: 'fact',
        text: 'The request timeout of the payment service is 30 seconds.',
        message: 1,
        quote: 'The request timeout of the payment service is 30 seconds',
      },
    ],
  },
  {
    ...{ agent: 'codex', project: 'shop', day: 28, about: 'its new value' },
    talk: ['The request timeout of the payment service is 60 seconds now.', 'I changed the client.'],
    judged: [
      {
        kind: 'fact',
        text: 'The request timeout of the payment service is 60 seconds.',
        message: 1,
        quote: 'The request timeout of the payment service is 60 seconds now.',
        supersedes: 'The request timeout of the payment service is 30 seconds',
      },
    ],
  },
  {
    ...{ agent: 'claude-code', project: 'shop', day: 30, about: 'an opposite' },
    talk: ['Never deploy on Fridays.', 'Understood.'],
    judged: [
      { kind: 'preference', text: 'Never deploy the shop on Fridays.', message: 1, quote: 'Never deploy on Fridays.' },
    ],
  },
  {
    ...{ agent: 'claude-code', project: 'shop', day: 35, about: 'and it is taken back' },
    talk: ['Deploying on Fridays is fine again, we have on-call now.', 'Good to know.'],
    judged: [
      {
        kind: 'decision',
        text: 'Deploying the shop on Fridays is allowed, because there is on-call.',
        message: 1,
        quote: 'Deploying on Fridays is fine again, we have on-call now.',
        supersedes: 'Never deploy the shop on Fridays.',
      },
    ],
  },
  {
    ...{ agent: 'codex', project: 'site', day: 36, about: 'a workaround' },
    talk: [
      'The preview is blank in Safari.',
      'Safari blocks the iframe.',
      'ok, the workaround is to open /preview directly, we always do that until they fix it',
      'I added a link.',
    ],
    judged: [
      {
        kind: 'workaround',
        text: 'The preview of the site is blank in Safari: open /preview directly.',
        message: 2,
        quote: 'the workaround is to open /preview directly, we always do that until they fix it',
      },
    ],
  },
  {
    ...{ agent: 'claude-code', project: 'site', day: 37, about: 'a health check' },
    talk: ['Say OK', 'OK'],
  },
]
