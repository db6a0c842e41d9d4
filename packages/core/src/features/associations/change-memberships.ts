import type * as v from 'valibot'
import { recordWrites, type WritableResource } from '../../engine/create-update.ts'
import type { Engine, Extension } from '../../engine/extension.ts'
import { object, optional } from '../../engine/field-schemas.ts'
import { loadForUpdate } from '../../engine/load-record.ts'
import type { Resource } from '../../engine/resource.ts'
import { throwIfErrors, validate } from '../../engine/validate.ts'
import { inWorkspace, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { associationsFailed, type CrmError, validationError } from '../../kernel/errors.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { AssociationFields } from '../../schema/associations.ts'
import { resolveTagIds } from '../tags/tag.ts'
import { lists, MAX_ASSOCIATIONS, resolveListIds, tags } from './associations.ts'

const membershipInput = object(
  optional({ add_tags: tags, remove_tags: tags, add_lists: lists, remove_lists: lists }),
)

export type MembershipChanges = v.InferInput<typeof membershipInput>

export interface MembershipApi {
  /**
   * Adds tags (by id or key) and lists (by id) to a record, or takes them off. Whatever else it holds stays, and so does what another
   * call adds meanwhile; what is taken off need not be there.
   * @throws CrmError `insufficient_scope`, `validation_error`, `not_found`, `forbidden`, `internal_error`
   */
  changeMemberships(actor: Actor, id: string, changes: MembershipChanges): Promise<void>
}

export function membershipApi<R extends RecordBase & AssociationFields, Detail extends object>(
  resource: WritableResource<R, Detail> & Pick<Resource<R>, 'scopes'>,
  engine: Engine,
  extensions: readonly Extension<R>[],
): MembershipApi {
  const { updateRecord } = recordWrites(resource, engine, extensions)
  return {
    async changeMemberships(actor, id, changes) {
      requireScope(actor, resource.scopes.write)
      const input = validate(membershipInput, changes)
      if (Object.values(input).every((ids) => (ids ?? []).length === 0)) throw nothingToChange()
      const outcome = await engine.storage.transact(async (tx) => {
        const unit = inWorkspace(tx, actor.workspaceId)
        const record = await loadForUpdate(resource, id, unit)
        return updateRecord(actor, id, await applyChanges(record, input, unit), tx)
      })
      if ('failure' in outcome) throw associationsFailed(resource.label, outcome.failure)
    },
  }
}

function nothingToChange(): CrmError {
  return validationError({
    add_tags: 'At least one of add_tags, remove_tags, add_lists and remove_lists is required.',
  })
}

/** What the record is to hold, by ids. @throws CrmError `validation_error`, under the caller's own names */
async function applyChanges(
  { tag_ids, list_ids }: AssociationFields,
  input: v.InferOutput<typeof membershipInput>,
  unit: WorkspaceTransaction,
) {
  const { add_tags, remove_tags, add_lists, remove_lists } = input
  const allErrors = new Map<string, string>()
  const [tags, lists] = await Promise.all([
    editIds(await filterLive(tag_ids, unit.stores.tags), add_tags, remove_tags, (names, errors) =>
      resolveTagIds(names, unit, errors),
    ),
    editIds(await filterLive(list_ids, unit.stores.lists), add_lists, remove_lists, (ids, errors) =>
      resolveListIds(ids, unit, errors),
    ),
  ])
  for (const [name, { ids, errors }] of [
    ['tags', tags],
    ['lists', lists],
  ] as const) {
    for (const [path, rule] of errors) allErrors.set(`add_${path}`, rule)
    if (ids.length > MAX_ASSOCIATIONS)
      allErrors.set(`add_${name}`, `Must leave the record with at most ${MAX_ASSOCIATIONS} ${name}.`)
  }
  throwIfErrors(allErrors)
  return {
    ...((add_tags ?? remove_tags) && { tags: tags.ids }),
    ...((add_lists ?? remove_lists) && { lists: lists.ids }),
  }
}

type ResolveIds = (names: readonly string[], errors: Map<string, string>) => Promise<readonly string[]>

async function editIds(
  currentIds: readonly string[],
  added: readonly string[] | null = [],
  removed: readonly string[] | null = [],
  resolveIds: ResolveIds,
) {
  const errors = new Map<string, string>()
  const [toAdd, toRemove] = await Promise.all([
    resolveIds(added ?? [], errors),
    resolveIds(removed ?? [], new Map()),
  ])
  return { ids: [...new Set([...currentIds.filter((id) => !toRemove.includes(id)), ...toAdd])], errors }
}

/** A deleted one is held no more, and may not be named again. */
async function filterLive(
  ids: readonly string[],
  store: { getMany(ids: readonly string[]): Promise<readonly { readonly id: string }[]> },
) {
  const live = new Set(ids.length === 0 ? [] : (await store.getMany(ids)).map(({ id }) => id))
  return ids.filter((id) => live.has(id))
}
