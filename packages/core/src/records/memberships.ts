import type * as v from 'valibot'
import { type Actor, authorize } from '../actor.ts'
import { associationsFailed, type CrmError, invalid } from '../errors.ts'
import type { Ports, RecordBase } from '../ports.ts'
import { tagIdsNamed } from '../tags/tag.ts'
import { type Associated, listIds, lists, MOST_ASSOCIATED, tags } from './associations.ts'
import { existing } from './existing.ts'
import { object, optional } from './fields.ts'
import { throwIfAny, validate } from './input.ts'
import type { Resource } from './resource.ts'
import { type Unit, unitOf } from './unit.ts'
import { recordWrites } from './writes.ts'

const input = object(optional({ add_tags: tags, remove_tags: tags, add_lists: lists, remove_lists: lists }))

export type MembershipChanges = v.InferInput<typeof input>

export interface MembershipApi {
  /**
   * Adds tags (by id or key) and lists (by id) to a record, or takes them off. Whatever else it holds stays, and so does what another
   * call adds meanwhile; what is taken off need not be there.
   * @throws CrmError `insufficient_scope`, `validation_error`, `not_found`, `forbidden`, `internal_error`
   */
  changeMemberships(actor: Actor, id: string, changes: MembershipChanges): Promise<void>
}

export function membershipApi<R extends RecordBase & Associated, Detail extends object>(
  resource: Parameters<typeof recordWrites<R, Detail>>[0] & Pick<Resource<R>, 'scopes'>,
  ports: Ports,
): MembershipApi {
  const { change } = recordWrites(resource, ports)
  return {
    async changeMemberships(actor, id, changes) {
      authorize(actor, resource.scopes.write)
      const asked = validate(input, changes)
      if (Object.values(asked).every((each) => (each ?? []).length === 0)) throw nothingToChange()
      const outcome = await ports.storage.transact(async (tx) => {
        const unit = unitOf(tx, actor.workspaceId)
        const held = await existing(resource, id, unit, 'getForUpdate')
        return change(actor, id, await heldAfter(held, asked, unit), tx)
      })
      if ('failure' in outcome) throw associationsFailed(resource.label, outcome.failure)
    },
  }
}

function nothingToChange(): CrmError {
  return invalid({ add_tags: 'At least one of add_tags, remove_tags, add_lists and remove_lists is required.' })
}

/** What the record is to hold, by ids. @throws CrmError `validation_error`, under the caller's own names */
async function heldAfter({ tag_ids, list_ids }: Associated, asked: v.InferOutput<typeof input>, unit: Unit) {
  const { add_tags, remove_tags, add_lists, remove_lists } = asked
  const faults = new Map<string, string>()
  const [tags, lists] = await Promise.all([
    edited(await living(tag_ids, unit.stores.tags), add_tags, remove_tags, (names, errors) => tagIdsNamed(names, unit, errors)),
    edited(await living(list_ids, unit.stores.lists), add_lists, remove_lists, (ids, errors) => listIds(ids, unit, errors)),
  ])
  for (const [name, { ids, errors }] of [
    ['tags', tags],
    ['lists', lists],
  ] as const) {
    for (const [path, rule] of errors) faults.set(`add_${path}`, rule)
    if (ids.length > MOST_ASSOCIATED) faults.set(`add_${name}`, `Must leave the record with at most ${MOST_ASSOCIATED} ${name}.`)
  }
  throwIfAny(faults)
  return { ...((add_tags ?? remove_tags) && { tags: tags.ids }), ...((add_lists ?? remove_lists) && { lists: lists.ids }) }
}

type Found = (names: readonly string[], errors: Map<string, string>) => Promise<readonly string[]>

async function edited(held: readonly string[], added: readonly string[] | null = [], removed: readonly string[] | null = [], found: Found) {
  const errors = new Map<string, string>()
  const [adding, taking] = await Promise.all([found(added ?? [], errors), found(removed ?? [], new Map())])
  return { ids: [...new Set([...held.filter((id) => !taking.includes(id)), ...adding])], errors }
}

/** A deleted one is held no more, and may not be named again. */
async function living(ids: readonly string[], store: { getMany(ids: readonly string[]): Promise<readonly { readonly id: string }[]> }) {
  const live = new Set(ids.length === 0 ? [] : (await store.getMany(ids)).map(({ id }) => id))
  return ids.filter((id) => live.has(id))
}
