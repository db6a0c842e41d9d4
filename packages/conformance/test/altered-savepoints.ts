import { memoryStorage } from '@sales-crm/core/memory'
import { conflict, type Storage, type Transaction } from '@sales-crm/core/ports'
import { alterStorage, findConflict, type Savepoint } from './altered-storage.ts'

/** A store whose transactions attempt in a way of their own. */
export function alterSavepoint(attempt: (tx: Transaction) => Savepoint, storage = memoryStorage()): Storage {
  const on = (tx: Transaction): Transaction => ({ ...tx, savepoint: attempt(tx) })
  return {
    ...storage,
    transact: (work, options) => storage.transact((tx) => work(on(tx)), options),
    read: (work, options) => storage.read((tx) => work(on(tx)), options),
  }
}

export function rollsBack(tx: Transaction): Savepoint {
  return async <T>(part: () => Promise<T>) => {
    const answers: T[] = []
    const rollback = new Error('taken back')
    const run = tx.savepoint(async () => {
      answers.push(await part())
      throw rollback
    })
    await run.catch((error) => {
      if (error !== rollback) throw error
    })
    return answers[0] as T
  }
}

export function savesOnce(tx: Transaction): Savepoint {
  let attempted = false
  return (part) => {
    if (attempted) return part()
    attempted = true
    return tx.savepoint(part)
  }
}

export function rejectsWithTheLast(tx: Transaction): Savepoint {
  return async (part) => {
    const thrown: unknown[] = []
    const run = tx.savepoint(() =>
      part().catch((error) => {
        thrown.push(error)
        throw error
      }),
    )
    return run.catch((error) => Promise.reject(thrown[0] ?? error))
  }
}

/** An error that is fatal, whoever catches it, is what `transact` rejects with. */
export function failsWithItsParts(isFatal: (error: unknown) => boolean): Storage {
  const memory = memoryStorage()
  return {
    ...memory,
    transact: (work) =>
      memory.transact(async (tx) => {
        const failures: unknown[] = []
        const attempt: Savepoint = (part) =>
          tx.savepoint(part).catch((error) => {
            failures.push(error)
            throw error
          })
        const answer = await work({ ...tx, savepoint: attempt })
        const fatal = failures.find(isFatal)
        if (fatal) throw fatal
        return answer
      }),
  }
}

export function keepsValues(): Storage {
  const spent = new Set<unknown>()
  let fresh: unknown[] = []
  const storage = alterStorage((store, { spec: place }) => ({
    async insert(row) {
      const field = place.unique.find((each) => spent.has(row[each]))
      if (field) throw conflict(field)
      fresh.push(...place.unique.map((each) => row[each]))
      await store.insert(row)
    },
  }))
  const attempt = (tx: Transaction): Savepoint => {
    return (part) => {
      fresh = []
      return tx.savepoint(part).catch((error) => {
        for (const value of fresh) spent.add(value)
        throw error
      })
    }
  }
  return alterSavepoint(attempt, storage)
}

export function forgetsAfterAPart(): Storage {
  let attempted = false
  const storage = alterStorage((store, { spec: place }) => ({
    async insert(row) {
      const taken = attempted ? await findConflict(store, place, row) : undefined
      if (taken) throw conflict(taken)
      await store.insert(row)
    },
  }))
  const attempt = (tx: Transaction): Savepoint => {
    return (part) => {
      attempted = true
      return tx.savepoint(part)
    }
  }
  return alterSavepoint(attempt, storage)
}

export function keepsWhatIsShared(): Storage {
  const updates: (() => Promise<void>)[] = []
  const storage = alterStorage((store, { workspace }) => ({
    async update(row) {
      await store.update(row)
      if (workspace === '') updates.push(() => store.update(row))
    },
  }))
  const attempt = (tx: Transaction): Savepoint => {
    return (part) =>
      tx.savepoint(part).catch(async (error) => {
        for (const update of updates) await update()
        throw error
      })
  }
  return alterSavepoint(attempt, storage)
}

export function refusesPartsOfReads(): Storage {
  const memory = memoryStorage()
  const attempt: Savepoint = () => Promise.reject(new Error('A read has nothing to attempt.'))
  return { ...memory, read: (work) => memory.read((tx) => work({ ...tx, savepoint: attempt })) }
}
