import type { Listing, PipelineView } from '@sales-crm/core'
import { listKeyInputs, RESOURCES } from '@sales-crm/core/declarations'
import type { Entity } from './entity.ts'
import { listAll } from './list-all.ts'
import type { Caller } from './types.ts'

export type ValidNames = readonly string[]

/** Lists the values that a field of an entity may refer to. */
export interface NameLookup {
  readonly field: RegExp
  find(caller: Caller, entity: Entity): Promise<ValidNames>
}

/** Lookups for fields that refer to other records. Only the first one that matches a field is used. */
export const NAME_LOOKUPS: readonly NameLookup[] = [
  { field: /^stage_id$/, find: async (caller) => (await listPipelines(caller)).flatMap(stageNames) },
  { field: /^pipeline_id$/, find: async (caller) => (await listPipelines(caller)).map(nameAndId) },
  ...keyLookups(),
  { field: /^(add_)?tags\[/, find: async ({ crm, actor }) => listKeys((page) => crm.tags.list(actor, page)) },
  { field: /^(add_)?lists\[/, find: listLists },
  { field: /^custom_fields\./, find: listCustomFieldKeys },
  { field: /^owner_email$/, find: listMemberEmails },
]

export function listPipelines({ crm, actor }: Caller): Promise<readonly PipelineView[]> {
  return listAll((page) => crm.pipelines.list(actor, page))
}

export function stageNames({ name: pipeline, stages }: PipelineView): string[] {
  return stages.map(({ id, name }) => nameAndId({ id, name: `${pipeline} / ${name}` }))
}

export function nameAndId({ id, name }: { readonly id: string; readonly name: string }): string {
  return `${name} (${id})`
}

/** Lookups for references by the key of a record, such as the type of a task. */
function keyLookups(): readonly NameLookup[] {
  return Object.values(RESOURCES).flatMap(({ collection }) =>
    listKeyInputs(collection).map(([input, kind]) => ({
      field: new RegExp(`^${input}$`),
      find: ({ crm, actor }) =>
        listKeys((page) => crm.records[kind].list(actor, page as never) as Promise<Listing<HasKey>>),
    })),
  )
}

interface HasKey {
  readonly key: string
}

async function listKeys(list: Parameters<typeof listAll<HasKey>>[0]): Promise<ValidNames> {
  return (await listAll(list)).map(({ key }) => key)
}

async function listLists({ crm, actor }: Caller): Promise<ValidNames> {
  return (await listAll((page) => crm.lists.list(actor, page))).map(nameAndId)
}

async function listCustomFieldKeys({ crm, actor }: Caller, entity: Entity): Promise<ValidNames> {
  const customFields = await listAll((page) => crm.customFields.list(actor, page))
  return customFields.filter((field) => isShownFor(field, entity)).map(({ key }) => key)
}

async function listMemberEmails({ crm, actor }: Caller): Promise<ValidNames> {
  return (await listAll((page) => crm.members.list(actor, page))).map(({ email }) => email)
}

interface CustomFieldVisibility {
  readonly show_people: boolean
  readonly show_companies: boolean
  readonly show_deals: boolean
}

export function isShownFor(field: CustomFieldVisibility, entity: Entity): boolean {
  if (entity === 'people') return field.show_people
  if (entity === 'companies') return field.show_companies
  return entity === 'deals' && field.show_deals
}
