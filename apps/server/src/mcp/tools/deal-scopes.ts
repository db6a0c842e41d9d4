import type { Entity } from '../entities.ts'

/** Naming the deals of a person or a company changes these deals, which takes a scope of its own. */
export function dealScopesFor(
  entity: Entity,
  records: unknown,
  isNamed: (deals: unknown) => boolean,
): readonly string[] {
  if (entity !== 'people' && entity !== 'companies') return []
  return Array.isArray(records) && records.some((each) => isNamed(Object(each).deals)) ? ['deals:write'] : []
}
