import { CrmError } from '@sales-crm/core'
import { isNotFoundRule, RESOURCES } from '@sales-crm/core/declarations'
import type { Entity } from './entity.ts'
import { mapRules } from './error-text.ts'
import { NAME_LOOKUPS, type NameLookup, type ValidNames } from './name-lookups.ts'
import type { Caller } from './types.ts'
import { suggestFieldNames } from './unwrap-schema.ts'
import { formatValidNames } from './valid-names.ts'

/** Adds the valid values to an error, if the caller may read them. */
export type ErrorExplainer = (error: CrmError) => Promise<CrmError>

/** Creates an explainer that runs each lookup at most once, however many records of a call need it. */
export function createErrorExplainer(
  caller: Caller,
  entity: Entity,
  operation: 'create' | 'update',
): ErrorExplainer {
  const namesByLookup = new Map<NameLookup, Promise<ValidNames | undefined>>()
  const addFieldNames = suggestFieldNames(RESOURCES[entity][operation])
  return async (error) => {
    const rules = new Map<string, string>()
    for (const [field, rule] of Object.entries(error.fields ?? {})) {
      rules.set(field, addFieldNames(rule, field) + formatValidNames(await validNamesFor(field, rule)))
    }
    return mapRules(error, (rule, field) => rules.get(field) ?? rule)
  }

  async function validNamesFor(field: string, rule: string): Promise<ValidNames | undefined> {
    const lookup = isNotFoundRule(rule) ? NAME_LOOKUPS.find((each) => each.field.test(field)) : undefined
    if (!lookup) return undefined
    // A lookup is optional help: its failure, or a missing scope, must not hide the original error.
    const names = namesByLookup.get(lookup) ?? lookup.find(caller, entity).catch(() => undefined)
    namesByLookup.set(lookup, names)
    return names
  }
}

/** @throws what `work` throws, explained if it is a `CrmError` */
export async function withExplanation<T>(work: () => Promise<T>, explain: ErrorExplainer): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    throw thrown instanceof CrmError ? await explain(thrown) : thrown
  }
}
