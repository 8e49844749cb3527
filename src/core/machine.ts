/** What the program knows of the computer it runs on. Read once, in app.ts; passed as data from there. */
export interface Machine {
  home: string
  env: Readonly<Record<string, string | undefined>>
  platform: NodeJS.Platform
  /** What it is called. */
  name?: string
}
