import { memoryStorage } from '@sales-crm/core/memory'
import { conflict, type Storage, type Transaction } from '@sales-crm/core/ports'
import { alterStorage, findConflict, type Savepoint } from './altered-storage.ts'

/** A store with another `savepoint`. */
export function alterSavepoint(
  savepoint: (tx: Transaction) => Savepoint,
  storage = memoryStorage(),
): Storage {
  const alterTransaction = (tx: Transaction): Transaction => ({ ...tx, savepoint: savepoint(tx) })
  return {
    ...storage,
    transact: (work, options) => storage.transact((tx) => work(alterTransaction(tx)), options),
    read: (work, options) => storage.read((tx) => work(alterTransaction(tx)), options),
  }
}

/** Runs the work in a savepoint and always rolls it back. */
export function rollBackAlways(tx: Transaction): Savepoint {
  return async <T>(work: () => Promise<T>) => {
    const results: T[] = []
    const rollback = new Error('rolled back')
    const run = tx.savepoint(async () => {
      results.push(await work())
      throw rollback
    })
    await run.catch((error) => {
      if (error !== rollback) throw error
    })
    return results[0] as T
  }
}

/** Only the first savepoint of the transaction can be rolled back. */
export function rollBackOnlyFirst(tx: Transaction): Savepoint {
  let isUsed = false
  return (work) => {
    if (isUsed) return work()
    isUsed = true
    return tx.savepoint(work)
  }
}

/** A savepoint within another one is none. */
export function ignoreInner(tx: Transaction): Savepoint {
  let isWithin = false
  return async (work) => {
    if (isWithin) return work()
    isWithin = true
    return tx.savepoint(work).finally(() => {
      isWithin = false
    })
  }
}

/** The writes of inner savepoints stay when the outer one fails. */
export function keepInner(tx: Transaction): Savepoint {
  let inner: (() => Promise<unknown>)[] | undefined
  return async (work) => {
    if (inner) {
      inner.push(work)
      return tx.savepoint(work)
    }
    const works: (() => Promise<unknown>)[] = []
    inner = works
    try {
      return await tx.savepoint(work)
    } catch (error) {
      for (const each of works) await each()
      throw error
    } finally {
      inner = undefined
    }
  }
}

/** Rejects with the error of the work, not with the first failure. */
export function rejectWithWorkError(tx: Transaction): Savepoint {
  return async (work) => {
    const errors: unknown[] = []
    const run = tx.savepoint(() =>
      work().catch((error) => {
        errors.push(error)
        throw error
      }),
    )
    return run.catch((error) => Promise.reject(errors[0] ?? error))
  }
}

/** A store whose `transact` rejects with a fatal error of a savepoint even if the work catches it. */
export function failOnSavepointError(isFatal: (error: unknown) => boolean): Storage {
  const memory = memoryStorage()
  return {
    ...memory,
    transact: (work) =>
      memory.transact(async (tx) => {
        const failures: unknown[] = []
        const savepoint: Savepoint = (run) =>
          tx.savepoint(run).catch((error) => {
            failures.push(error)
            throw error
          })
        const result = await work({ ...tx, savepoint })
        const fatal = failures.find(isFatal)
        if (fatal) throw fatal
        return result
      }),
  }
}

export function keepValuesTaken(): Storage {
  const taken = new Set<unknown>()
  let inserted: unknown[] = []
  const storage = alterStorage((store, { spec }) => ({
    async insert(row) {
      const field = spec.unique.find((each) => taken.has(row[each]))
      if (field) throw conflict(field)
      inserted.push(...spec.unique.map((each) => row[each]))
      await store.insert(row)
    },
  }))
  const savepoint = (tx: Transaction): Savepoint => {
    return (work) => {
      inserted = []
      return tx.savepoint(work).catch((error) => {
        for (const value of inserted) taken.add(value)
        throw error
      })
    }
  }
  return alterSavepoint(savepoint, storage)
}

export function ignoreFailuresAfterSavepoint(): Storage {
  let hasSavepoint = false
  const storage = alterStorage((store, { spec }) => ({
    async insert(row) {
      const conflictField = hasSavepoint ? await findConflict(store, spec, row) : undefined
      if (conflictField) throw conflict(conflictField)
      await store.insert(row)
    },
  }))
  const savepoint = (tx: Transaction): Savepoint => {
    return (work) => {
      hasSavepoint = true
      return tx.savepoint(work)
    }
  }
  return alterSavepoint(savepoint, storage)
}

export function keepSharedUpdates(): Storage {
  const updates: (() => Promise<void>)[] = []
  const storage = alterStorage((store, { workspace }) => ({
    async update(row) {
      await store.update(row)
      if (workspace === '') updates.push(() => store.update(row))
    },
  }))
  const savepoint = (tx: Transaction): Savepoint => {
    return (work) =>
      tx.savepoint(work).catch(async (error) => {
        for (const update of updates) await update()
        throw error
      })
  }
  return alterSavepoint(savepoint, storage)
}

export function rejectSavepointsOfReads(): Storage {
  const memory = memoryStorage()
  const savepoint: Savepoint = () => Promise.reject(new Error('A read has no savepoints.'))
  return { ...memory, read: (work) => memory.read((tx) => work({ ...tx, savepoint })) }
}
