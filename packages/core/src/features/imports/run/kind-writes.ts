import { deleteWithin } from '../../../engine/delete-record.ts'
import type { Engine } from '../../../engine/extension.ts'
import type { Input } from '../../../engine/patch.ts'
import { PreparedWrites } from '../../../engine/prepared-writes.ts'
import { RecordWriter, type WritableResource } from '../../../engine/record-writer.ts'
import type { Reference, References } from '../../../engine/references.ts'
import type { Rules } from '../../../engine/rules.ts'
import type { WorkspaceTransaction } from '../../../engine/workspace-transaction.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { RecordBase } from '../../../kernel/record.ts'
import type { RecordStore } from '../../../kernel/record-store.ts'
import type { Transaction } from '../../../ports/storage.ts'
import { activities } from '../../activities/activity.ts'
import { companies } from '../../companies/company.ts'
import { deals } from '../../deals/deal.ts'
import { lists } from '../../lists/list.ts'
import { people } from '../../people/person.ts'
import { products } from '../../products/product.ts'
import { tags } from '../../tags/tag.ts'
import { tasks } from '../../tasks/task.ts'
import type { WrittenRecord } from '../row-result.ts'

export type WrittenKind = WrittenRecord['kind']

/** The writes of one kind of record, in the transaction of an import. */
export interface KindWrites {
  readonly scope: string
  store(transaction: WorkspaceTransaction): RecordStore<RecordBase>
  /**
   * @param id of the record; default: a new one
   * @throws CrmError as the create of the API
   */
  create(actor: Actor, input: Input, tx: Transaction, id?: string): Promise<{ readonly id: string }>
  /** @throws CrmError as the update of the API */
  update(actor: Actor, id: string, input: Input, tx: Transaction): Promise<void>
  /** Sets columns as they were. @throws CrmError what a `RecordRule` throws */
  restore(actor: Actor, id: string, columns: object, tx: Transaction): Promise<void>
  /** @throws CrmError as the deletion of the API */
  remove(actor: Actor, id: string, tx: Transaction): Promise<void>
}

const RESOURCES = { companies, people, deals, products, tasks, activities, tags, lists }

/** @param isInvited tells whether a user, who is no member yet, may be made the owner of records */
export function buildKindWrites(
  engine: Engine,
  rules: Rules,
  isInvited: (userId: string) => boolean = () => false,
): Readonly<Record<WrittenKind, KindWrites>> {
  return Object.fromEntries(
    Object.entries(RESOURCES).map(([kind, resource]) => [
      kind,
      buildWrites(
        withInvitedOwners(resource, isInvited) as never,
        engine,
        rules[kind as keyof Rules] as never,
      ),
    ]),
  ) as unknown as Readonly<Record<WrittenKind, KindWrites>>
}

function withInvitedOwners<T extends { readonly references: References }>(
  resource: T,
  isInvited: (userId: string) => boolean,
): T {
  const { owner_user_id: owner } = resource.references
  if (!owner) return resource
  const find: Reference['find'] = async (id, transaction) =>
    isInvited(id) ? id : owner.find(id, transaction)
  return { ...resource, references: { ...resource.references, owner_user_id: { ...owner, find } } }
}

function buildWrites<R extends RecordBase, Detail extends { readonly id: string }>(
  resource: WritableResource<R, Detail> & ConstructorParameters<typeof PreparedWrites<R, Detail>>[0],
  engine: Engine,
  rules: ConstructorParameters<typeof PreparedWrites<R, Detail>>[2],
): KindWrites {
  const writes = new PreparedWrites<R, Detail>(resource, engine, rules)
  const writer = new RecordWriter<R, Detail>(resource, engine, rules)
  return {
    scope: resource.scopes.write,
    store: ({ stores }) => resource.store(stores) as unknown as RecordStore<RecordBase>,
    async create(actor, input, tx, id) {
      const { insert } = await writes.prepareCreate(actor, input)
      return insert(tx, id)
    },
    async update(actor, id, input, tx) {
      const { run } = await writes.prepareUpdate(actor, input)
      writes.toView(await run(tx, id))
    },
    async restore(actor, id, columns, tx) {
      await writer.changeColumns(actor, id, () => columns as Partial<R>, tx)
    },
    remove: (actor, id, tx) => deleteWithin(resource as never, engine, actor, id, tx),
  }
}
