import { memoryStorage } from '@sales-crm/core/memory'
import { conflict, type Storage, type Transaction } from '@sales-crm/core/ports'
import { type Attempt, altered, takenField } from './altered.ts'

/** A store whose transactions attempt in a way of their own. */
export function attempting(attempt: (tx: Transaction) => Attempt, storage = memoryStorage()): Storage {
  const on = (tx: Transaction): Transaction => ({ ...tx, attempt: attempt(tx) })
  return {
    ...storage,
    transact: (work) => storage.transact((tx) => work(on(tx))),
    transactUnsynced: (work) => storage.transactUnsynced((tx) => work(on(tx))),
    read: (work) => storage.read((tx) => work(on(tx))),
  }
}

export function takesBack(tx: Transaction): Attempt {
  return async <T>(part: () => Promise<T>) => {
    const answers: T[] = []
    const takenBack = new Error('taken back')
    const run = tx.attempt(async () => {
      answers.push(await part())
      throw takenBack
    })
    await run.catch((error) => {
      if (error !== takenBack) throw error
    })
    return answers[0] as T
  }
}

export function attemptsOnce(tx: Transaction): Attempt {
  let attempted = false
  return (part) => {
    if (attempted) return part()
    attempted = true
    return tx.attempt(part)
  }
}

export function rejectsWithTheLast(tx: Transaction): Attempt {
  return async (part) => {
    const thrown: unknown[] = []
    const run = tx.attempt(() =>
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
  const sound = memoryStorage()
  return {
    ...sound,
    transact: (work) =>
      sound.transact(async (tx) => {
        const failures: unknown[] = []
        const attempt: Attempt = (part) =>
          tx.attempt(part).catch((error) => {
            failures.push(error)
            throw error
          })
        const answer = await work({ ...tx, attempt })
        const fatal = failures.find(isFatal)
        if (fatal) throw fatal
        return answer
      }),
  }
}

export function keepsValues(): Storage {
  const spent = new Set<unknown>()
  let fresh: unknown[] = []
  const storage = altered((store, { place }) => ({
    async insert(row) {
      const field = place.unique.find((each) => spent.has(row[each]))
      if (field) throw conflict(field)
      fresh.push(...place.unique.map((each) => row[each]))
      await store.insert(row)
    },
  }))
  const attempt = (tx: Transaction): Attempt => {
    return (part) => {
      fresh = []
      return tx.attempt(part).catch((error) => {
        for (const value of fresh) spent.add(value)
        throw error
      })
    }
  }
  return attempting(attempt, storage)
}

export function forgetsAfterAPart(): Storage {
  let attempted = false
  const storage = altered((store, { place }) => ({
    async insert(row) {
      const taken = attempted ? await takenField(store, place, row) : undefined
      if (taken) throw conflict(taken)
      await store.insert(row)
    },
  }))
  const attempt = (tx: Transaction): Attempt => {
    return (part) => {
      attempted = true
      return tx.attempt(part)
    }
  }
  return attempting(attempt, storage)
}

export function keepsWhatIsShared(): Storage {
  const updates: (() => Promise<void>)[] = []
  const storage = altered((store, { workspace }) => ({
    async update(row) {
      await store.update(row)
      if (workspace === '') updates.push(() => store.update(row))
    },
  }))
  const attempt = (tx: Transaction): Attempt => {
    return (part) =>
      tx.attempt(part).catch(async (error) => {
        for (const update of updates) await update()
        throw error
      })
  }
  return attempting(attempt, storage)
}

export function refusesPartsOfReads(): Storage {
  const sound = memoryStorage()
  const attempt: Attempt = () => Promise.reject(new Error('A read has nothing to attempt.'))
  return { ...sound, read: (work) => sound.read((tx) => work({ ...tx, attempt })) }
}
