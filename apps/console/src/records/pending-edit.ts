import type { ActionRecord, RecordEdit } from './edit-records.ts'
import type { FieldEdit } from './use-record-update.ts'

/** The latest edit of each record that the service has not answered. */
const latestEdits = new Map<string, PendingEdit>()

/**
 * An edit of a record, from when it is made until the service has answered it. The edits of a record are sent in the
 * order in which they are made, each after the answer to the one before.
 */
export class PendingEdit<Row extends ActionRecord = ActionRecord> implements RecordEdit {
  readonly id: string
  readonly #drawn: Row
  readonly #edit: () => FieldEdit
  readonly #previous: PendingEdit | undefined
  #isRefused = false

  /**
   * @param drawn may lack pending edits, and contain one that is refused later
   * @param edit called whenever the edit is read, since what it restores depends on the answers to earlier ones
   */
  constructor(drawn: Row, edit: () => FieldEdit) {
    this.id = drawn.id
    this.#drawn = drawn
    this.#edit = edit
    this.#previous = latestEdits.get(drawn.id)
    latestEdits.set(drawn.id, this)
  }

  /** The record before the edit: earlier edits count, unless they were refused. */
  get before(): Row {
    return { ...this.#drawn, ...this.#previous?.fieldsAfter }
  }

  /** The values of the fields that this edit and the pending ones before it are about. */
  get fieldsAfter(): object {
    const { shown } = this
    const earlier = this.#previous?.fieldsAfter
    if (!this.#isRefused) return { ...earlier, ...shown }
    const drawn = Object.entries(this.#drawn).filter(([name]) => name in shown)
    return { ...Object.fromEntries(drawn), ...earlier }
  }

  get shown(): object {
    return this.#edit().shown
  }

  async send(update: (changes: object) => Promise<unknown>): Promise<void> {
    try {
      await update(this.#edit().changes)
    } catch (error) {
      this.#isRefused = true
      throw error
    } finally {
      if (latestEdits.get(this.id) === this) latestEdits.delete(this.id)
    }
  }
}
