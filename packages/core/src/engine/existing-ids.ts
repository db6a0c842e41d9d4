import type { Actor, Scope } from '../kernel/actor.ts'
import { changeError } from '../kernel/change-error.ts'
import { type CrmError, isConflict } from '../kernel/errors.ts'
import type { RecordBase } from '../kernel/record.ts'
import { KINDS, type ResourceName } from '../schema/index.ts'
import type { Engine } from './extension.ts'
import type { Input } from './patch.ts'
import type { Resource } from './resource.ts'
import { readWorkspace } from './workspace-transaction.ts'

type ConflictingResource<R extends RecordBase> = Pick<Resource<R>, 'store'> & {
  readonly collection: ResourceName
  readonly scopes: { readonly read: Scope }
}

/**
 * Runs a write. A conflict names the records that hold the value, of those that the actor sees.
 * @param input the validated fields of the record
 */
export async function nameExistingIds<T, R extends RecordBase>(
  resource: ConflictingResource<R>,
  engine: Engine,
  actor: Actor,
  input: Input,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isConflict(error)) throw error
    const existingIds = actor.scopes.has(resource.scopes.read)
      ? await findExistingIds(error, resource, engine, actor, input)
      : undefined
    throw changeError(error, { existingIds })
  }
}

async function findExistingIds<R extends RecordBase>(
  { fields, existingIds }: CrmError,
  resource: ConflictingResource<R>,
  engine: Engine,
  actor: Actor,
  input: Input,
): Promise<readonly string[] | undefined> {
  if (existingIds)
    return readWorkspace(engine, actor, async ({ stores, viewer }) =>
      (await viewer()) ? toIds(await resource.store(stores).getMany(existingIds)) : existingIds,
    )
  const { unique } = KINDS[resource.collection].shape
  const field = Object.keys(fields ?? {}).find((name) => unique.some((each) => each === name))
  const value = field === undefined ? undefined : input[field]
  if (typeof value !== 'string') return undefined
  const holders = await readWorkspace(engine, actor, ({ stores }) =>
    resource.store(stores).find([{ field: field as keyof R & string, is: value }]),
  )
  return toIds(holders)
}

function toIds(records: readonly RecordBase[]): readonly string[] | undefined {
  return records.length > 0 ? records.map(({ id }) => id) : undefined
}
