import { CrmError, type PipelineView } from '@sales-crm/core'
import { ENTITY_DEFINITIONS, type Entity } from './entities.ts'
import { mapRules } from './error-text.ts'
import { listAll } from './list-all.ts'
import type { Caller } from './tool.ts'
import { suggestFieldNames } from './unwrap-schema.ts'
import { formatValidNames } from './valid-names.ts'

type ValidNames = readonly string[]

/** Tells an error with what would have been right, as far as the caller may read that. */
export type ErrorExplainer = (error: CrmError) => Promise<CrmError>

interface Lookup {
  readonly field: RegExp
  find(caller: Caller, entity: Entity): Promise<ValidNames>
}

/** Where to find what a field could have named, when it named what is not there. */
const LOOKUPS: readonly Lookup[] = [
  { field: /^stage_id$/, find: async (caller) => (await listPipelines(caller)).flatMap(stageNames) },
  { field: /^pipeline_id$/, find: async (caller) => (await listPipelines(caller)).map(nameAndId) },
  { field: /^type$/, find: async ({ crm, actor }) => listKeys((page) => crm.taskTypes.list(actor, page)) },
  { field: /^(add_)?tags\[/, find: async ({ crm, actor }) => listKeys((page) => crm.tags.list(actor, page)) },
  { field: /^(add_)?lists\[/, find: listLists },
  { field: /^custom_fields\./, find: listCustomFieldKeys },
  { field: /^owner_email$/, find: listMemberEmails },
]

/** Whatever is looked up is looked up once, however many records of a call ask for it. */
export function createErrorExplainer(
  caller: Caller,
  entity: Entity,
  operation: 'create' | 'update',
): ErrorExplainer {
  const namesByLookup = new Map<Lookup, Promise<ValidNames | undefined>>()
  const addKnownNames = suggestFieldNames(ENTITY_DEFINITIONS[entity][operation])
  return async (error) => {
    const rules = new Map<string, string>()
    for (const [field, rule] of Object.entries(error.fields ?? {})) {
      rules.set(field, addKnownNames(rule, field) + formatValidNames(await validNamesFor(field, rule)))
    }
    return mapRules(error, (rule, field) => rules.get(field) ?? rule)
  }

  async function validNamesFor(field: string, rule: string): Promise<ValidNames | undefined> {
    const lookup = rule.includes('not found') ? LOOKUPS.find((each) => each.field.test(field)) : undefined
    if (!lookup) return undefined
    // What would have been right is a courtesy: that it may not be read, or cannot be, must not hide what is wrong.
    const names = namesByLookup.get(lookup) ?? lookup.find(caller, entity).catch(() => undefined)
    namesByLookup.set(lookup, names)
    return names
  }
}

/** @throws what `work` throws, explained */
export async function withExplanation<T>(work: () => Promise<T>, explain: ErrorExplainer): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    throw thrown instanceof CrmError ? await explain(thrown) : thrown
  }
}

export function listPipelines({ crm, actor }: Caller): Promise<readonly PipelineView[]> {
  return listAll((page) => crm.pipelines.list(actor, page))
}

export function stageNames({ name: pipeline, stages }: PipelineView): string[] {
  return stages.map(({ id, name }) => nameAndId({ id, name: `${pipeline} / ${name}` }))
}

export function nameAndId({ id, name }: { readonly id: string; readonly name: string }): string {
  return `${name} (${id})`
}

async function listKeys(list: Parameters<typeof listAll<{ readonly key: string }>>[0]): Promise<ValidNames> {
  return (await listAll(list)).map(({ key }) => key)
}

async function listLists({ crm, actor }: Caller): Promise<ValidNames> {
  return (await listAll((page) => crm.lists.list(actor, page))).map(nameAndId)
}

async function listCustomFieldKeys({ crm, actor }: Caller, entity: Entity): Promise<ValidNames> {
  const all = await listAll((page) => crm.customFields.list(actor, page))
  return all.filter((field) => isShownFor(field, entity)).map(({ key }) => key)
}

async function listMemberEmails({ crm, actor }: Caller): Promise<ValidNames> {
  return (await listAll((page) => crm.members.list(actor, page))).map(({ email }) => email)
}

interface CustomFieldVisibility {
  readonly show_people: boolean
  readonly show_companies: boolean
  readonly show_deals: boolean
}

/** Whether records of that kind have the custom field. */
export function isShownFor(field: CustomFieldVisibility, entity: Entity): boolean {
  if (entity === 'people') return field.show_people
  if (entity === 'companies') return field.show_companies
  return entity === 'deals' && field.show_deals
}
