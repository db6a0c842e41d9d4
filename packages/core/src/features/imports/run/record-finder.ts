import * as v from 'valibot'
import type { BufferedTransaction } from '../../../engine/buffered-transaction.ts'
import { lockExternalIds } from '../../../engine/unique-external-ids.ts'
import type { WorkspaceTransaction } from '../../../engine/workspace-transaction.ts'
import { isUuid } from '../../../kernel/field-schemas.ts'
import type { RecordBase } from '../../../kernel/record.ts'
import type { ParsePhone } from '../../../ports/index.ts'
import { type ExternalId, externalId } from '../../../schema/external-ids.ts'
import { externalIdFacet } from '../../../schema/facets.ts'
import type { RecordDraft } from '../rows/record-draft.ts'
import { buildIdQuery, buildQueries, findHolder, type MatchQuery } from './find-match.ts'
import type { KindWrites, WrittenKind } from './kind-writes.ts'
import type { MatchMemory } from './match-memory.ts'

/** What a search for the record of a draft has found. */
export interface Finding {
  readonly record: RecordBase | undefined
  /** True if a check has an earlier row that would make it. */
  readonly isTwin: boolean
  /** The values that were looked for. */
  readonly queries: readonly MatchQuery[]
}

/** Finds the records that drafts are about. */
export class RecordFinder {
  readonly #writes: Readonly<Record<WrittenKind, KindWrites>>
  readonly #memory: MatchMemory
  readonly #parsePhone: ParsePhone | undefined

  constructor(
    writes: Readonly<Record<WrittenKind, KindWrites>>,
    memory: MatchMemory,
    parsePhone: ParsePhone | undefined,
  ) {
    this.#writes = writes
    this.#memory = memory
    this.#parsePhone = parsePhone
  }

  /** Builds the queries of a draft. @param names by what it is found, in this order */
  async buildQueries(
    draft: RecordDraft,
    names: readonly string[],
    transaction: WorkspaceTransaction,
  ): Promise<readonly MatchQuery[]> {
    const context = { transaction, parsePhone: this.#parsePhone }
    const queries: MatchQuery[] = buildIdQuery(draft)
    for (const name of names) queries.push(...(await buildQueries(draft, name, context)))
    return queries
  }

  /**
   * Reads once what many drafts look for. What no record has is not looked for again. Their external ids are locked before,
   * since no other transaction may take one of them from then on.
   */
  async prepare(
    drafts: readonly (readonly [RecordDraft, readonly MatchQuery[]])[],
    buffered: BufferedTransaction,
    transaction: WorkspaceTransaction,
  ): Promise<void> {
    const byKind = Map.groupBy(drafts, ([{ kind }]) => kind)
    const lookUps: Promise<void>[] = []
    for (const [kind, ofKind] of [...byKind].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const ids = ofKind.flatMap(([draft]) => listExternalIds(draft))
      await lockExternalIds(kind, ids, transaction)
      const unknown = ofKind
        .flatMap(([, queries]) => queries)
        .filter(({ key }) => this.#memory.find(kind, key) === undefined)
      const facets = new Set([...unknown.flatMap(listFacets), ...ids.map(externalIdFacet)])
      if (facets.size > 0) lookUps.push(buffered.lookUpFacets(kind, [...facets]))
    }
    await Promise.all(lookUps)
  }

  async find(
    { kind }: Pick<RecordDraft, 'kind'>,
    queries: readonly MatchQuery[],
    transaction: WorkspaceTransaction,
  ): Promise<Finding> {
    const store = this.#writes[kind].store(transaction)
    for (const query of queries) {
      if (this.#memory.wasSimulated(kind, query.key)) return { record: undefined, isTwin: true, queries }
      const known = this.#memory.find(kind, query.key)
      const remembered = known === undefined ? undefined : await store.get(known)
      const record =
        remembered && query.isHeldBy(remembered as never) ? remembered : await findHolder(query, store)
      if (!record) continue
      this.#memory.remember(kind, query.key, record.id)
      return { record, isTwin: false, queries }
    }
    return { record: undefined, isTwin: false, queries }
  }

  /** Returns the id of an exported record, if none here has or had it. */
  async findFreeId(
    { kind, fields: { id } }: RecordDraft,
    transaction: WorkspaceTransaction,
  ): Promise<string | undefined> {
    if (typeof id !== 'string' || !isUuid(id)) return undefined
    const store = this.#writes[kind].store(transaction)
    for (const state of ['live', 'deleted'] as const) {
      const [next] = await store.scan({ state, after: previousUuid(id), limit: 1 })
      if (next?.record.id === id) return undefined
    }
    return id
  }
}

/** Invalid ones are refused when the record is written. */
function listExternalIds({ fields }: RecordDraft): readonly ExternalId[] {
  const ids = (fields['external_ids'] ?? []) as readonly unknown[]
  return ids.flatMap((id) => {
    const { success, output } = v.safeParse(externalId, id)
    return success ? [output as ExternalId] : []
  })
}

/** The facet that alone is looked for. */
function listFacets({ where: [condition, ...others] }: MatchQuery): readonly string[] {
  return condition && 'hasTerm' in condition && others.length === 0 ? [condition.hasTerm] : []
}

/** The greatest UUID below this one; null for the least. */
function previousUuid(id: string): string | null {
  const value = BigInt(`0x${id.replaceAll('-', '')}`)
  if (value === 0n) return null
  const digits = (value - 1n).toString(16).padStart(32, '0')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
