import type { Clock } from '@sales-crm/core/ports'

export function systemClock(): Clock {
  return () => new Date().toISOString()
}
