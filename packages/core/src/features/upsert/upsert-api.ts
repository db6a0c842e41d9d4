import * as v from 'valibot'
import { prefixFields } from '../../engine/error-fields.ts'
import type { Engine, RecordRule } from '../../engine/extension.ts'
import { buildDetailView } from '../../engine/load-record.ts'
import type { Input } from '../../engine/patch.ts'
import { type PreparableResource, PreparedWrites } from '../../engine/prepared-writes.ts'
import type { UpdateResult } from '../../engine/record-writer.ts'
import { validate } from '../../engine/validate.ts'
import { inWorkspace, readWorkspace, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { conflict, validationError } from '../../kernel/errors.ts'
import { object } from '../../kernel/object-schemas.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { RecordStore } from '../../kernel/record-store.ts'
import type { Transaction } from '../../ports/index.ts'
import {
  type AnyMatchRules,
  MATCH_RULES,
  type Match,
  type MatchableRecord,
  type UpsertKind,
} from './match-rules.ts'

/** The value by which a record is looked for: exactly one member. */
type MatchInput<K extends UpsertKind> = {
  readonly [M in keyof (typeof MATCH_RULES)[K]]?: (typeof MATCH_RULES)[K][M] extends {
    readonly schema: infer S extends v.GenericSchema
  }
    ? v.InferInput<S>
    : never
}

export interface UpsertInput<K extends UpsertKind, Create> {
  readonly match: MatchInput<K>
  /** The fields of a new record, or the changes of the one that matches. */
  readonly record: Partial<Create>
}

export interface UpsertResult<Detail> {
  readonly data: Detail
  /** True if no record matched, and one was created. */
  readonly isNew: boolean
}

export interface UpsertApi<K extends UpsertKind, Create, Detail> {
  /**
   * Changes the record that holds the value of `match`, or creates one that does. Of concurrent calls with one value
   * one creates the record, and the others change it. Sends the events of a create or an update.
   * @throws CrmError as `create` and `update`, with fields below `record.`; `conflict` with `existingIds` if several
   * records match
   */
  upsert(actor: Actor, input: UpsertInput<K, Create>): Promise<UpsertResult<Detail>>
}

/** Most records that a conflict names. */
const MAX_EXISTING_IDS = 10
/** Records may share a facet and hold other values, such as a text in another case. */
const FIRST_CANDIDATES = { page: 1, per_page: 100, order_by: 'created_at', order: 'asc' } as const

/** The schema of the input. `record` is validated by the schema of a create or an update. */
export function upsertInput(kind: UpsertKind) {
  const rules: AnyMatchRules = MATCH_RULES[kind]
  const names = Object.keys(rules)
  const members = Object.fromEntries(
    Object.entries(rules).map(([name, { schema }]) => [name, v.optional(schema)]),
  )
  const rule = `Must have exactly one of: ${names.join(', ')}.`
  return object({
    match: v.pipe(
      object(members),
      v.check((match) => Object.values(match).filter((value) => value !== undefined).length === 1, rule),
    ),
    record: v.pipe(
      v.unknown(),
      v.check((record) => isPlainObject(record), 'Must be an object.'),
    ) as v.GenericSchema<Input>,
  })
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function upsertApi<
  K extends UpsertKind,
  R extends RecordBase,
  Create extends v.GenericSchema,
  Detail extends object,
>(
  kind: K,
  resource: PreparableResource<R, Detail> & { readonly create: Create },
  engine: Engine,
  rules?: readonly RecordRule<R>[],
): UpsertApi<K, v.InferInput<Create>, Detail> {
  const upserts = new Upserts(kind, resource, engine, rules)
  return { upsert: (actor, input) => upserts.upsert(actor, input) }
}

/** An upsert whose record is valid for a create, an update or both. */
export interface PreparedUpsert<Detail> {
  /** The validated fields; empty if they are valid for neither. */
  readonly fields: Input
  /** @throws CrmError with the fields of the record; `conflict` if several records match */
  run(tx: Transaction): Promise<UpdateResult<Detail> & { readonly isNew: boolean }>
}

/** Validates and prepares the upserts of one kind, which then run in a transaction of the caller. */
export class Upserts<R extends RecordBase, Detail extends object> {
  readonly #kind: UpsertKind
  readonly #schema: ReturnType<typeof upsertInput>
  readonly #resource: PreparableResource<R, Detail>
  readonly #engine: Engine
  readonly #writes: PreparedWrites<R, Detail>

  constructor(
    kind: UpsertKind,
    resource: PreparableResource<R, Detail>,
    engine: Engine,
    rules?: readonly RecordRule<R>[],
  ) {
    this.#kind = kind
    this.#schema = upsertInput(kind)
    this.#resource = resource
    this.#engine = engine
    this.#writes = new PreparedWrites(resource, engine, rules)
  }

  async upsert(actor: Actor, input: unknown): Promise<UpsertResult<Detail>> {
    this.#writes.authorize(actor, Object(input).record)
    const prepared = await this.prepare(actor, input)
    const result = await belowRecord(() => this.#writes.transact(actor, prepared, (tx) => prepared.run(tx)))
    return { data: this.#writes.toView(result), isNew: result.isNew }
  }

  /** Which of both it is to be is known once the value is locked. */
  async prepare(actor: Actor, input: unknown): Promise<PreparedUpsert<Detail>> {
    const { match: value, record } = validate(this.#schema, input) as UpsertFields
    const match = await readWorkspace(
      this.#engine,
      actor,
      (transaction) => this.#resolveMatch(value, transaction),
      { isolation: 'statement' },
    )
    const [create, update] = await Promise.allSettled([
      this.#prepareRecord(match, record, true, (fields) => this.#writes.prepareCreate(actor, fields)),
      this.#prepareRecord(match, record, false, (fields) => this.#writes.prepareUpdate(actor, fields)),
    ])
    return {
      fields: [create, update].find((each) => each.status === 'fulfilled')?.value.fields ?? {},
      run: async (tx) => {
        const transaction = inWorkspace(tx, actor, this.#engine)
        await transaction.lock(`${this.#kind} upsert ${match.key}`)
        const found = await this.#findMatch(match, transaction)
        if (!found) return { ...(await unwrap(create).run(tx)), isNew: true }
        if (Object.keys(record).length > 0)
          return { ...(await unwrap(update).run(tx, found.id)), isNew: false }
        return { view: await buildDetailView(this.#resource, found, transaction), isNew: false }
      },
    }
  }

  async #prepareRecord<T>(
    match: Match,
    record: Input,
    isNew: boolean,
    prepare: (fields: Input) => Promise<T>,
  ): Promise<T> {
    const fields = match.complete(record, isNew)
    if (!fields) throw validationError({ body: 'Must hold the value of match, or leave its field out.' })
    return prepare(fields)
  }

  async #resolveMatch(input: Input, transaction: WorkspaceTransaction): Promise<Match> {
    const rules: AnyMatchRules = MATCH_RULES[this.#kind]
    const [name, value] = Object.entries(input).find(([, each]) => each !== undefined)!
    return rules[name]!.resolve(value, { transaction, parsePhone: this.#engine.parsePhone })
  }

  /** The record that matches. @throws CrmError `conflict` if there are several */
  async #findMatch(match: Match, { stores }: WorkspaceTransaction): Promise<R | undefined> {
    const store = this.#resource.store(stores) as unknown as RecordStore<MatchableRecord>
    const { rows } = await store.list({ ...FIRST_CANDIDATES, where: [match.where] })
    const found = rows.filter((record) => match.isHeldBy(record))
    if (found.length > 1) {
      const existingIds = found.slice(0, MAX_EXISTING_IDS).map(({ id }) => id)
      throw conflict('match', 'Several records hold this value.', { existingIds })
    }
    return found[0] as unknown as R | undefined
  }
}

/** Runs an upsert whose errors are of the record, or of `match`. */
export function belowRecord<T>(work: () => Promise<T>): Promise<T> {
  return prefixFields('record', work, (path) => /^match(?:\.|$)/.test(path))
}

interface UpsertFields {
  readonly match: Input
  readonly record: Input
}

function unwrap<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason
  return result.value
}
