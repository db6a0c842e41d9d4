import type * as v from 'valibot'
import { type Actor, requireScope } from '../kernel/actor.ts'
import { associationsFailed, type FieldErrors, isConflict } from '../kernel/errors.ts'
import { object } from '../kernel/object-schemas.ts'
import { requirePermission } from '../kernel/permissions.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { Transaction } from '../ports/storage.ts'
import { nameExistingIds } from './existing-ids.ts'
import type { Engine, RecordRule, SaveResponse } from './extension.ts'
import { findView, loadRecord } from './load-record.ts'
import { withCurrentRole } from './load-role.ts'
import { resolveEffectiveOwner } from './owner.ts'
import { checkOwnerFields, type Input, withoutNulls } from './patch.ts'
import { decodeInput, prepareInput } from './prepare-input.ts'
import type { WriteConditions } from './record-version.ts'
import { RecordWriter, type UpdateResult, type WritableResource } from './record-writer.ts'
import type { Resource } from './resource.ts'
import { validate, validateInto } from './validate.ts'
import { validateChanges } from './validate-changes.ts'
import { readWorkspace } from './workspace-transaction.ts'

/** The members of a resource that its writes use. */
export type PreparableResource<R extends RecordBase, Detail extends object> = WritableResource<R, Detail> &
  Pick<Resource<R>, 'scopes' | 'create' | 'update'>

/** A valid create, with its files decoded and fetched. It may run again, in another transaction. */
export interface PreparedCreate<R, Detail> {
  /** The validated fields. */
  readonly fields: Input
  /** @param id of the record; default: a new one */
  run(tx: Transaction, id?: string): Promise<UpdateResult<Detail>>
  /** As `run`, but returns the record as it is stored. */
  insert(tx: Transaction, id?: string): Promise<R>
}

/** As `PreparedCreate`, of a record that is known when it runs. */
export interface PreparedUpdate<Detail> {
  readonly fields: Input
  run(tx: Transaction, id: string): Promise<UpdateResult<Detail>>
}

/** Validates and prepares the writes of one kind, which then run in a transaction of the caller. */
export class PreparedWrites<R extends RecordBase, Detail extends object> {
  readonly #resource: PreparableResource<R, Detail>
  readonly #engine: Engine
  readonly #writer: RecordWriter<R, Detail>

  constructor(resource: PreparableResource<R, Detail>, engine: Engine, rules: readonly RecordRule<R>[] = []) {
    this.#resource = resource
    this.#engine = engine
    this.#writer = new RecordWriter(resource, engine, rules)
  }

  /** @throws CrmError `insufficient_scope` */
  authorize(actor: Actor, input: unknown): void {
    requireScope(actor, this.#resource.scopes.write)
    for (const extension of this.#resource.extensions) extension.authorize?.(actor, Object(input) as Input)
  }

  /**
   * @param extraErrors reported with those of the fields
   * @throws CrmError `validation_error`, `forbidden`
   */
  async prepareCreate(
    actor: Actor,
    input: unknown,
    extraErrors: FieldErrors = {},
  ): Promise<PreparedCreate<R, Detail>> {
    const { extensions, create } = this.#resource
    const decoded = await decodeInput(extensions, input, this.#engine)
    const errors = { ...extraErrors, ...decoded.errors, ...checkOwnerFields(withoutNulls(input)) }
    const valid = withoutNulls(this.#validateCreate(actor, create as v.GenericSchema, input, errors))
    const fields = await prepareInput(extensions, decoded.apply(valid), {
      engine: this.#engine,
      requirePermission: async () => requirePermission(actor, 'create', this.#resource, undefined),
    })
    return {
      fields: valid,
      run: async (tx, id) => ({ view: await this.#writer.create(actor, fields, tx, id) }),
      insert: (tx, id) => this.#writer.insert(actor, fields, tx, id),
    }
  }

  /** Restricted fields have a schema beside that of the kind. */
  #validateCreate(actor: Actor, schema: v.GenericSchema, input: unknown, errors: FieldErrors): Input {
    const entries = Object.assign(
      {},
      ...this.#resource.extensions.map(({ restricted }) => restricted?.allows(actor) && restricted.entries),
    ) as v.ObjectEntries
    const [own, restricted] = splitFields(input, entries)
    if (Object.keys(restricted).length === 0) return validate(schema, input, 'field', errors) as Input
    const found = new Map(Object.entries(errors))
    const values = validateInto(object(entries), restricted, 'field', found)
    return { ...(validate(schema, own, 'field', Object.fromEntries(found)) as Input), ...values }
  }

  /**
   * @param id of the record, if it is known: a field that equals its own may break a newer rule
   * @throws CrmError `validation_error`, `bad_request` without a known field, `forbidden`
   */
  async prepareUpdate(
    actor: Actor,
    input: unknown,
    { id, ...conditions }: WriteConditions & { readonly id?: string } = {},
  ): Promise<PreparedUpdate<Detail>> {
    const { extensions, update } = this.#resource
    const decoded = await decodeInput(extensions, input, this.#engine)
    const changes = await validateChanges(update as v.GenericSchema, input, {
      extraErrors: { ...decoded.errors, ...checkOwnerFields(input) },
      loadView: async () =>
        id === undefined ? undefined : findView(this.#resource, this.#engine, actor, id),
    })
    const fields = await prepareInput(extensions, decoded.apply(changes as Input), {
      engine: this.#engine,
      requirePermission: () => this.#requireUpdatePermission(actor, id),
    })
    return {
      fields,
      run: (tx, recordId) => this.#writer.update(actor, recordId, fields, tx, conditions),
    }
  }

  /**
   * Runs a write in a transaction of its own, with its response.
   * @throws CrmError what the write refuses, and `internal_error` if only the record's own fields were saved
   */
  async commit(
    actor: Actor,
    write: Pick<PreparedCreate<R, Detail>, 'fields' | 'run'>,
    saveResponse?: SaveResponse,
  ): Promise<Detail> {
    const result = await this.transact(actor, write, async (tx) => {
      const outcome = await write.run(tx)
      if ('view' in outcome) await saveResponse?.(tx, outcome.view)
      return outcome
    })
    return this.toView(result)
  }

  /** @throws CrmError `internal_error` if only the record's own fields were saved */
  toView(result: UpdateResult<Detail>): Detail {
    if ('failure' in result) throw associationsFailed(this.#resource.label, result.failure)
    return result.view
  }

  /**
   * Runs a write in a transaction of its own. A create is repeated with new generated values while one of them is taken.
   * A conflict names the records that hold the value.
   * @param work calls the `run` of the write
   */
  transact<T>(
    actor: Actor,
    { fields }: { readonly fields: Input },
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    return nameExistingIds(this.#resource, this.#engine, actor, fields, () =>
      retryWithNewCodes(fields, () => this.#engine.storage.transact(work)),
    )
  }

  /** @throws CrmError `not_found`, `forbidden` */
  async #requireUpdatePermission(actor: Actor, id: string | undefined): Promise<void> {
    const resource = this.#resource
    if (id === undefined) return requirePermission(actor, 'create', resource, undefined)
    await readWorkspace(this.#engine, actor, async (transaction) => {
      const record = await loadRecord(resource, id, transaction)
      const member = await withCurrentRole(actor, transaction)
      requirePermission(
        member,
        'update',
        resource,
        await resolveEffectiveOwner(record, resource, member, transaction),
      )
    })
  }
}

function splitFields(input: unknown, entries: object): readonly [own: unknown, restricted: Input] {
  if (Object.keys(entries).length === 0 || typeof input !== 'object' || input === null) return [input, {}]
  const [own, restricted]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}]
  for (const [name, value] of Object.entries(input))
    (Object.hasOwn(entries, name) ? restricted : own)[name] = value
  return [own, restricted]
}

const MAX_ATTEMPTS = 50
/** Fields that are generated if the caller does not send them. */
const GENERATED_FIELDS = ['entity_id', 'key']

/** Retries the creation with new generated values if one of them is taken. */
export async function retryWithNewCodes<T>(input: Input, create: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await create()
    } catch (error) {
      const [field] = isConflict(error) ? Object.keys(error.fields ?? {}) : []
      if (
        field === undefined ||
        !GENERATED_FIELDS.includes(field) ||
        input[field] !== undefined ||
        attempt === MAX_ATTEMPTS
      )
        throw error
    }
  }
}
