import type { ChangeContext } from '../../engine/extension.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { ErrorCode, FieldErrors } from '../../kernel/errors.ts'
import { type BulkPart, type BulkPartName, bulkPartKey } from '../../schema/bulk-change.ts'

/** Ids of one part. */
export const IDS_PER_PART = 200
/** Records of one step: a divisor of `IDS_PER_PART`. Its transaction takes some milliseconds. */
export const STEP_SIZE = 8

/** What a bulk change has done to a record. */
export interface BulkResult {
  readonly id: string
  /** The columns that it has changed, as they were. */
  readonly before: Readonly<Record<string, unknown>>
  /** `updated_at` after the change. */
  readonly version: string | null
}

/** Why a record was left as it is. */
export interface BulkFailure {
  readonly id: string
  readonly code: ErrorCode
  readonly message: string
  readonly fields?: FieldErrors
}

/** The parts of one bulk change. */
export class BulkParts {
  readonly #bulkChangeId: string
  readonly #transaction: WorkspaceTransaction

  constructor(bulkChangeId: string, transaction: WorkspaceTransaction) {
    this.#bulkChangeId = bulkChangeId
    this.#transaction = transaction
  }

  /** @param from number of the first part */
  async insert(
    name: BulkPartName,
    from: number,
    contents: readonly BulkPart['content'][],
    { at, newId }: ChangeContext,
  ): Promise<void> {
    if (contents.length === 0) return
    const rows = contents.map((content, index) => ({
      id: newId(),
      key: bulkPartKey(this.#bulkChangeId, name, from + index),
      content,
      created_at: at,
      updated_at: at,
    }))
    await this.#transaction.stores.bulk_parts.insertMany(rows)
  }

  /** Reads the content of a part; empty if there is none. */
  async read<T extends object | string>(name: BulkPartName, number: number): Promise<readonly T[]> {
    return (await this.readMany<T>(name, [number])).flat()
  }

  /** Reads the contents of the parts that exist, in the order of `numbers`. */
  async readMany<T extends object | string>(
    name: BulkPartName,
    numbers: readonly number[],
  ): Promise<readonly (readonly T[])[]> {
    const keys = numbers.map((number) => bulkPartKey(this.#bulkChangeId, name, number))
    if (keys.length === 0) return []
    const rows = await this.#transaction.stores.bulk_parts.find([{ field: 'key', oneOf: keys }])
    const byKey = new Map(rows.map(({ key, content }) => [key, content as unknown as readonly T[]]))
    return keys.flatMap((key) => {
      const content = byKey.get(key)
      return content ? [content] : []
    })
  }

  /** Returns the ids of the step that begins at a position. */
  async readStepIds(position: number): Promise<readonly string[]> {
    const ids = await this.read<string>('ids', Math.floor(position / IDS_PER_PART))
    const start = position % IDS_PER_PART
    return ids.slice(start, start + STEP_SIZE)
  }
}
