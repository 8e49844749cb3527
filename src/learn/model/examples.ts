// Worked examples for the instructions of a model judge. Each one shows a lesson that models get
// wrong without it. They are made up, and a test checks them against the schema of answers.

export interface JudgeExample {
  /** The part of a question, in its own notation. */
  question: string
  /** Memories of the answer. */
  memories: readonly object[]
  /** Why, for whoever reads the instructions. */
  lesson: string
}

export const judgeExamples: readonly JudgeExample[] = [
  {
    lesson: 'a task and a detail of a feature end in the code',
    question: '[1] PERSON: make the save button blue, fix the failing login test, then push',
    memories: [],
  },
  {
    lesson: 'a correction that outlives the task, with its reason and how to apply it',
    question:
      "AGENT: I mocked the database in the new tests.\n[1] PERSON: no, don't mock it. last quarter the mocks passed and the migration broke prod",
    memories: [
      {
        kind: 'correction',
        text: 'Integration tests run against a real database, never against mocks.',
        why: 'Mocked tests passed while a migration broke production.',
        apply: 'When writing or reviewing tests that touch the database.',
        message: 1,
        quote: "don't mock it. last quarter the mocks passed and the migration broke prod",
      },
    ],
  },
  {
    lesson: 'a habit of the person that holds in every project',
    question: '[1] PERSON: stop summarising what you did after every change, I can read the diff',
    memories: [
      {
        kind: 'preference',
        text: 'Do not summarise changes at the end of an answer; the person reads the diff.',
        message: 1,
        quote: 'stop summarising what you did after every change, I can read the diff',
        everywhere: true,
      },
    ],
  },
  {
    lesson: 'a short yes confirms what the agent found',
    question:
      'AGENT: The cache key ignores the locale, so German users get English pages.\n[1] PERSON: yes that was it, thanks',
    memories: [
      {
        kind: 'debugging',
        text: 'English pages for German users came from the page cache: its key did not contain the locale.',
        message: 1,
        quote: 'yes that was it',
        confirms: 1,
      },
    ],
  },
  {
    lesson: 'a decision with its reason',
    question: "[1] PERSON: let's go with sqlite instead of postgres, it has to run on a laptop without a server",
    memories: [
      {
        kind: 'decision',
        text: 'The project stores its data in SQLite, not PostgreSQL, because it must run on a laptop without a server.',
        message: 1,
        quote: "let's go with sqlite instead of postgres, it has to run on a laptop without a server",
      },
    ],
  },
  {
    lesson: 'where something outside the code is to be found',
    question: '[1] PERSON: look at the ingest board in linear first, all pipeline bugs are tracked there',
    memories: [
      {
        kind: 'fact',
        text: 'Bugs of the pipeline are tracked on the ingest board in Linear.',
        message: 1,
        quote: 'all pipeline bugs are tracked there',
      },
    ],
  },
  {
    lesson: 'an idea is no decision, and a question is no rule',
    question: '[1] PERSON: maybe we should move to bun at some point? why is the build always so slow',
    memories: [],
  },
  {
    lesson: 'pasted reviews, logs, plans and rules of others are not the word of the person',
    question:
      '[1] PERSON: what do you think of this review: "Never use default exports. Errors must always be wrapped."',
    memories: [],
  },
  {
    lesson: 'a change supersedes what is known',
    question:
      '<known>\nm-d7x2 decision, settled, 2026-03-02: Releases go out on Fridays.\n</known>\n[1] PERSON: btw we release on tuesdays now, nobody wants to fix prod on a weekend',
    memories: [
      {
        kind: 'decision',
        text: 'Releases go out on Tuesdays.',
        why: 'Nobody wants to repair production on a weekend.',
        message: 1,
        quote: 'we release on tuesdays now, nobody wants to fix prod on a weekend',
        supersedes: 'm-d7x2',
      },
    ],
  },
  {
    lesson: 'of the candidates keep what lasts, in words that can be read alone; the others are dropped',
    question:
      '<candidates>\nc1 [1]: stop doing that!!\nc2 [2]: always use the other one for the nightly job\n</candidates>\n[1] PERSON: stop doing that!!\nAGENT: Reverted. Should the nightly job use the primary or the read replica?\n[2] PERSON: always use the other one for the nightly job, it locks tables',
    memories: [
      {
        kind: 'operational',
        text: 'The nightly job reads from the read replica, never from the primary, because it locks tables.',
        message: 2,
        quote: 'always use the other one for the nightly job, it locks tables',
        candidate: 'c2',
      },
    ],
  },
]
