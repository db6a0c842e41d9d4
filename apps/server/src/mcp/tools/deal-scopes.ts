import type { Entity } from '../entity.ts'

/** Setting the deals of a person or company changes these deals, so it also needs `deals:write`. */
export function dealScopesFor(
  entity: Entity,
  records: unknown,
  isNamed: (deals: unknown) => boolean,
): readonly string[] {
  if (entity !== 'people' && entity !== 'companies') return []
  return Array.isArray(records) && records.some((each) => isNamed(Object(each).deals)) ? ['deals:write'] : []
}
