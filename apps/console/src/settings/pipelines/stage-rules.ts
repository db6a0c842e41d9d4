import type { Stage } from '@sales-crm/client'

/** What a stage asks of its deals. */
export interface StageRules {
  readonly required_fields: readonly string[]
  readonly stale_after_days: number | null
}

export function rulesOf({
  required_fields = [],
  stale_after_days = null,
}: Pick<Stage, 'required_fields' | 'stale_after_days'>): StageRules {
  return { required_fields, stale_after_days }
}

/** What the API gets. */
export function toRulesInput({ required_fields, stale_after_days }: StageRules) {
  return { required_fields: [...required_fields], stale_after_days }
}
