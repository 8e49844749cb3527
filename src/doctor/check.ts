export interface Check {
  name: string
  ok: boolean
  detail: string
  fix: string
}

export function good(name: string, detail: string): Check {
  return { name, ok: true, detail, fix: '' }
}

export function bad(name: string, detail: string, fix: string): Check {
  return { name, ok: false, detail, fix }
}
