import type * as v from 'valibot'
import type { Engine, RecordRule } from '../../engine/extension.ts'
import { loadRecord } from '../../engine/load-record.ts'
import { RecordWriter, type WritableResource } from '../../engine/record-writer.ts'
import type { Resource } from '../../engine/resource.ts'
import { loadSharedWith } from '../../engine/shared-with.ts'
import { throwIfErrors, validate } from '../../engine/validate.ts'
import { inWorkspace, readWorkspace, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { associationsFailed, notFoundRule } from '../../kernel/errors.ts'
import { listOf, object } from '../../kernel/object-schemas.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { RecordViewer } from '../../kernel/record-viewers.ts'
import { type OwnedRecord, type RuledKind, type Share, shareKey } from '../../kernel/visibility.ts'
import { MAX_SHARES, type ShareView, shareInput } from '../../schema/shares.ts'
import { loadRecordViewers } from './load-record-viewers.ts'

export const sharesInput = object({ shares: listOf(shareInput, 0, MAX_SHARES, 'shares') })

/** Input of `setShares`: at most 50 members and teams, each with the access `read` or `write`. */
export type SharesInput = v.InferInput<typeof sharesInput>

/** With whom single records are shared, such as `crm.people.shares`. */
export interface ShareApi {
  /**
   * Returns with whom a record is shared.
   * @throws CrmError `insufficient_scope`, `not_found`
   */
  shares(actor: Actor, id: string): Promise<readonly ShareView[]>
  /**
   * Replaces with whom a record is shared, for whoever may change the record without a share. With `write` one may change
   * its fields and links, not delete it, give it away or share it. A share has no effect where everyone sees the records
   * of the kind. Sends the `updated` event, unless nothing changes.
   * @throws CrmError `insufficient_scope`, `validation_error`, `not_found`, `forbidden`
   */
  setShares(actor: Actor, id: string, input: SharesInput): Promise<readonly ShareView[]>
  /**
   * Returns the members who see a record, each with the strongest reason: the owner first, then those with their role, their
   * teams and shares as reasons.
   * @throws CrmError `insufficient_scope`, `not_found`
   */
  viewers(actor: Actor, id: string): Promise<readonly RecordViewer[]>
}

interface Shareable extends RecordBase, OwnedRecord {}

export function shareApi<R extends Shareable, Detail extends { readonly shared_with: readonly ShareView[] }>(
  kind: RuledKind,
  resource: WritableResource<R, Detail> & Pick<Resource<R>, 'scopes'>,
  engine: Engine,
  rules: readonly RecordRule<R>[] | undefined,
): ShareApi {
  const writer = new RecordWriter(resource, engine, rules)
  return {
    async shares(actor, id) {
      requireScope(actor, resource.scopes.read)
      return readWorkspace(engine, actor, async (transaction) => {
        const record = await loadRecord(resource, id, transaction)
        return (await loadSharedWith([record], transaction))(record)
      })
    },
    async setShares(actor, id, input) {
      requireScope(actor, resource.scopes.write)
      const entries = validate(sharesInput, input).shares
      const outcome = await engine.storage.transact(async (tx) => {
        const transaction = inWorkspace(tx, actor)
        const record = await loadRecord(resource, id, transaction)
        const shares = await resolveShares(entries, actor, record, transaction)
        return writer.update(actor, id, { shares }, tx)
      })
      if ('failure' in outcome) throw associationsFailed(resource.label, outcome.failure)
      return outcome.view.shared_with
    },
    async viewers(actor, id) {
      requireScope(actor, resource.scopes.read)
      return readWorkspace(engine, actor, async (transaction) => {
        const record = await loadRecord(resource, id, transaction)
        return loadRecordViewers(kind, record, transaction)
      })
    },
  }
}

type Entry = v.InferOutput<typeof shareInput>

const ONE_RULE = 'One of member_id and team_id is required.'
const BOTH_RULE = 'Must not be sent together with member_id.'
const SELF_RULE = 'Must be another member.'
const TWICE_RULE = 'Must not be the same as another one.'

/** @throws CrmError `validation_error` with all errors at once */
async function resolveShares(
  entries: readonly Entry[],
  actor: Actor,
  before: Shareable,
  { stores }: WorkspaceTransaction,
): Promise<readonly Share[]> {
  const [members, teams] = await Promise.all([
    stores.members.getMany(entries.flatMap(({ member_id }) => member_id ?? [])),
    stores.teams.getMany(entries.flatMap(({ team_id }) => team_id ?? [])),
  ])
  const errors = new Map<string, string>()
  const keys = new Set<string>()
  const shares = entries.flatMap(({ member_id, team_id, access }, index): Share[] => {
    const fail = (field: string, rule: string) => {
      errors.set(`shares[${index}].${field}`, rule)
      return []
    }
    if (member_id === undefined && team_id === undefined) return fail('member_id', ONE_RULE)
    if (member_id !== undefined && team_id !== undefined) return fail('team_id', BOTH_RULE)
    const field = member_id === undefined ? 'team_id' : 'member_id'
    const member = members.find(({ id, removed_at }) => id === member_id && removed_at === null)
    const team = teams.find(({ id }) => id === team_id)
    if (!member && !team) return fail(field, notFoundRule(member_id === undefined ? 'Team' : 'Member'))
    const share: Share = member
      ? { member_id: member.id, since: member.created_at, access }
      : { team_id: team!.id, access }
    const isShared = before.shares.some((each) => shareKey(each) === shareKey(share))
    if (member_id === actor.userId && !isShared) return fail(field, SELF_RULE)
    if (keys.has(shareKey(share))) return fail(field, TWICE_RULE)
    keys.add(shareKey(share))
    return [share]
  })
  throwIfErrors(errors, { shares: entries })
  return shares
}
