import { CrmError } from '../kernel/errors.ts'
import type { Transaction } from '../ports/storage.ts'

/** The record's own fields are saved; those of its extensions are not. */
export interface ExtensionFailure {
  readonly failure: unknown
}

/** Returns the failure of the savepoint. A `CrmError` is a rejection, which ends the whole transaction. */
export async function tryInSavepoint(
  tx: Transaction,
  work: () => Promise<void>,
): Promise<ExtensionFailure | undefined> {
  try {
    await tx.savepoint(work)
    return undefined
  } catch (failure) {
    if (failure instanceof CrmError) throw failure
    return { failure }
  }
}
