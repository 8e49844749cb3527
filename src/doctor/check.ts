export interface HealthCheck {
  name: string
  ok: boolean
  /** Nothing is wrong, and nothing shows yet that it works. */
  isPending?: true
  detail: string
  fix: string
}

export function passedCheck(name: string, detail: string): HealthCheck {
  return { name, ok: true, detail, fix: '' }
}

export function pendingCheck(name: string, detail: string, fix: string): HealthCheck {
  return { name, ok: true, isPending: true, detail, fix }
}

export function failedCheck(name: string, detail: string, fix: string): HealthCheck {
  return { name, ok: false, detail, fix }
}
