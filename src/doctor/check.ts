export interface HealthCheck {
  name: string
  ok: boolean
  detail: string
  fix: string
}

export function passedCheck(name: string, detail: string): HealthCheck {
  return { name, ok: true, detail, fix: '' }
}

export function failedCheck(name: string, detail: string, fix: string): HealthCheck {
  return { name, ok: false, detail, fix }
}
