import type * as v from 'valibot'
import type { Engine, RecordRule } from '../../engine/extension.ts'
import { loadForUpdate } from '../../engine/load-record.ts'
import { RecordWriter, type WritableResource } from '../../engine/record-writer.ts'
import type { Resource } from '../../engine/resource.ts'
import { throwIfErrors, validate } from '../../engine/validate.ts'
import { inWorkspace, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { associationsFailed, type CrmError, validationError } from '../../kernel/errors.ts'
import { object, optional } from '../../kernel/object-schemas.ts'
import type { RecordBase } from '../../kernel/record.ts'
import { type AssociationFields, listIds, MAX_ASSOCIATIONS, tagNames } from '../../schema/associations.ts'
import { resolveTagIds } from '../tags/tag.ts'
import { resolveListIds } from './associations.ts'

export const membershipInput = object(
  optional({ add_tags: tagNames, remove_tags: tagNames, add_lists: listIds, remove_lists: listIds }),
)

/** Input of `changeMemberships`: at least one tag or list, and at most 100 in each field. */
export type MembershipChanges = v.InferInput<typeof membershipInput>

/**
 * Changes of single tags and lists of people, companies and deals, such as `crm.people.changeMemberships`.
 */
export interface MembershipApi<Detail> {
  /**
   * Adds tags (by id or key) and lists (by id) to a record, or removes them. Other tags and lists stay,
   * including those that concurrent calls add. Removing an absent one is no error. Sends the `updated` event, unless
   * nothing changes: then nothing is written. Returns the record.
   * @throws CrmError `insufficient_scope`, `validation_error`, `not_found`, `forbidden`, `internal_error`
   */
  changeMemberships(actor: Actor, id: string, changes: MembershipChanges): Promise<Detail>
}

export function membershipApi<R extends RecordBase & AssociationFields, Detail extends object>(
  resource: WritableResource<R, Detail> & Pick<Resource<R>, 'scopes'>,
  engine: Engine,
  rules: readonly RecordRule<R>[] | undefined,
): MembershipApi<Detail> {
  const writer = new RecordWriter(resource, engine, rules)
  return {
    async changeMemberships(actor, id, changes) {
      requireScope(actor, resource.scopes.write)
      const input = validate(membershipInput, changes)
      if (Object.values(input).every((ids) => (ids ?? []).length === 0)) throw emptyChangeError()
      const outcome = await engine.storage.transact(async (tx) => {
        const transaction = inWorkspace(tx, actor)
        const record = await loadForUpdate(resource, id, transaction)
        return writer.update(actor, id, await resolveMemberships(record, input, transaction), tx)
      })
      if ('failure' in outcome) throw associationsFailed(resource.label, outcome.failure)
      return outcome.view
    },
  }
}

function emptyChangeError(): CrmError {
  return validationError({
    add_tags: 'At least one of add_tags, remove_tags, add_lists and remove_lists is required.',
  })
}

/** Computes the new ids of the record. @throws CrmError `validation_error`, under the caller's field names */
export async function resolveMemberships(
  { tag_ids, list_ids }: AssociationFields,
  input: v.InferOutput<typeof membershipInput>,
  transaction: WorkspaceTransaction,
) {
  const { add_tags, remove_tags, add_lists, remove_lists } = input
  const allErrors = new Map<string, string>()
  const [tags, lists] = await Promise.all([
    editIds(await filterLiveIds(tag_ids, transaction.stores.tags), add_tags, remove_tags, (names, errors) =>
      resolveTagIds(names, transaction, errors),
    ),
    editIds(await filterLiveIds(list_ids, transaction.stores.lists), add_lists, remove_lists, (ids, errors) =>
      resolveListIds(ids, transaction, errors),
    ),
  ])
  for (const [name, { ids, errors }] of [
    ['tags', tags],
    ['lists', lists],
  ] as const) {
    for (const [path, message] of errors) allErrors.set(`add_${path}`, message)
    if (ids.length > MAX_ASSOCIATIONS)
      allErrors.set(`add_${name}`, `Must leave the record with at most ${MAX_ASSOCIATIONS} ${name}.`)
  }
  throwIfErrors(allErrors, input)
  return {
    ...((add_tags ?? remove_tags) && { tags: tags.ids }),
    ...((add_lists ?? remove_lists) && { lists: lists.ids }),
  }
}

type ResolveIds = (names: readonly string[], errors: Map<string, string>) => Promise<readonly string[]>

async function editIds(
  currentIds: readonly string[],
  namesToAdd: readonly string[] | null = [],
  namesToRemove: readonly string[] | null = [],
  resolveIds: ResolveIds,
) {
  const errors = new Map<string, string>()
  const [addedIds, removedIds] = await Promise.all([
    resolveIds(namesToAdd ?? [], errors),
    resolveIds(namesToRemove ?? [], new Map()),
  ])
  return { ids: [...new Set([...currentIds.filter((id) => !removedIds.includes(id)), ...addedIds])], errors }
}

/** Drops the ids of deleted records, which an update would reject. */
async function filterLiveIds(
  ids: readonly string[],
  store: { getMany(ids: readonly string[]): Promise<readonly { readonly id: string }[]> },
) {
  const liveIds = new Set(ids.length === 0 ? [] : (await store.getMany(ids)).map(({ id }) => id))
  return ids.filter((id) => liveIds.has(id))
}
