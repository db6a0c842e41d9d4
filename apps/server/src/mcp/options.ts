import { CrmError, type PipelineView } from '@sales-crm/core'
import { everything } from './everything.ts'
import { type Entity, KINDS } from './kinds.ts'
import { namedAs } from './named-as.ts'
import { knownBeside } from './schemas.ts'
import { withRules } from './told.ts'
import type { Caller } from './tool.ts'

type Names = readonly string[]

/** Tells an error with what would have been right, as far as the caller may read that. */
export type Explain = (error: CrmError) => Promise<CrmError>

interface Lookup {
  readonly field: RegExp
  find(caller: Caller, entity: Entity): Promise<Names>
}

/** Where to find what a field could have named, when it named what is not there. */
const LOOKUPS: readonly Lookup[] = [
  { field: /^stage_id$/, find: async (caller) => (await pipelinesOf(caller)).flatMap(stagesNamed) },
  { field: /^pipeline_id$/, find: async (caller) => (await pipelinesOf(caller)).map(nameAndId) },
  { field: /^type$/, find: async ({ crm, actor }) => keysOf((page) => crm.taskTypes.list(actor, page)) },
  { field: /^(add_)?tags\[/, find: async ({ crm, actor }) => keysOf((page) => crm.tags.list(actor, page)) },
  { field: /^(add_)?lists\[/, find: listsOf },
  { field: /^custom_fields\./, find: customFieldsOf },
  { field: /^owner_email$/, find: membersOf },
]

/** Whatever is looked up is looked up once, however many records of a call ask for it. */
export function explainer(caller: Caller, entity: Entity, operation: 'create' | 'update'): Explain {
  const known = new Map<Lookup, Promise<Names | undefined>>()
  const withKnown = knownBeside(KINDS[entity][operation])
  return async (error) => {
    const told = new Map<string, string>()
    for (const [field, rule] of Object.entries(error.fields ?? {})) {
      told.set(field, withKnown(rule, field) + namedAs(await optionsOf(field, rule)))
    }
    return withRules(error, (rule, field) => told.get(field) ?? rule)
  }

  async function optionsOf(field: string, rule: string): Promise<Names | undefined> {
    const lookup = rule.includes('not found') ? LOOKUPS.find((each) => each.field.test(field)) : undefined
    if (!lookup) return undefined
    // What would have been right is a courtesy: that it may not be read, or cannot be, must not hide what is wrong.
    const names = known.get(lookup) ?? lookup.find(caller, entity).catch(() => undefined)
    known.set(lookup, names)
    return names
  }
}

/** @throws what `work` throws, explained */
export async function explained<T>(work: () => Promise<T>, explain: Explain): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    throw thrown instanceof CrmError ? await explain(thrown) : thrown
  }
}

export function pipelinesOf({ crm, actor }: Caller): Promise<readonly PipelineView[]> {
  return everything((page) => crm.pipelines.list(actor, page))
}

export function stagesNamed({ name: pipeline, stages }: PipelineView): string[] {
  return stages.map(({ id, name }) => nameAndId({ id, name: `${pipeline} / ${name}` }))
}

export function nameAndId({ id, name }: { readonly id: string; readonly name: string }): string {
  return `${name} (${id})`
}

async function keysOf(list: Parameters<typeof everything<{ readonly key: string }>>[0]): Promise<Names> {
  return (await everything(list)).map(({ key }) => key)
}

async function listsOf({ crm, actor }: Caller): Promise<Names> {
  return (await everything((page) => crm.lists.list(actor, page))).map(nameAndId)
}

async function customFieldsOf({ crm, actor }: Caller, entity: Entity): Promise<Names> {
  const all = await everything((page) => crm.customFields.list(actor, page))
  return all.filter((field) => isShown(field, entity)).map(({ key }) => key)
}

async function membersOf({ crm, actor }: Caller): Promise<Names> {
  return (await everything((page) => crm.members.list(actor, page))).map(({ email }) => email)
}

interface Shown {
  readonly show_people: boolean
  readonly show_companies: boolean
  readonly show_deals: boolean
}

/** Whether records of that kind have the custom field. */
export function isShown(field: Shown, entity: Entity): boolean {
  if (entity === 'people') return field.show_people
  if (entity === 'companies') return field.show_companies
  return entity === 'deals' && field.show_deals
}
