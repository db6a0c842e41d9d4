import { memoryStorage } from '@sales-crm/core/memory'
import { conflict, type Storage } from '@sales-crm/core/ports'
import type { CollectionSpec } from '../src/collections.ts'
import { alterStorage, alterStores, createTransaction, findConflict } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'
import { outboxPerCall } from './deferred-outbox.ts'
import { deferredStorage, storePerCall } from './deferred-storage.ts'

export const TRANSACTION_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'insertMany inserts all',
    breakage: 'a batch ends after a hundred',
    noticedBy: 'insertMany: people: one and five hundred come back as they went in',
    open: () => alterStorage((store) => ({ insertMany: (rows) => store.insertMany(rows.slice(0, 100)) })),
  },
  {
    guarantee: 'insertMany inserts all or none',
    breakage: 'records that conflict are left out of a batch',
    noticedBy: 'insertMany: one conflict among many, with a record or within the batch, leaves none of them',
    open: () =>
      alterStorage((store, { spec: place }) => ({
        async insertMany(rows) {
          for (const row of rows) if (!(await findConflict(store, place, row))) await store.insert(row)
        },
      })),
  },
  {
    guarantee: 'transact rolls back',
    breakage: 'what was written before the error stays',
    noticedBy: 'transactions: deals: update is undone when the work throws',
    open: keepsTheHalfDone,
  },
  {
    guarantee: 'Errors pass through unchanged',
    breakage: 'the store wraps them in its own',
    noticedBy: 'transactions: an error passes through unchanged, from transact and from read',
    open: () => {
      const sound = memoryStorage()
      return {
        ...sound,
        transact: (work) =>
          sound.transact(work).catch((cause) => Promise.reject(new Error('failed', { cause }))),
      }
    },
  },
  {
    guarantee: 'A transaction after a failed one works',
    breakage: 'an error leaves the connection unusable',
    noticedBy: 'transactions: a conflict undoes the whole transaction, and the next one works',
    open: staysBroken,
  },
  {
    guarantee: 'A failed write fails its transaction',
    breakage: 'an error that the work catches is passed over',
    noticedBy:
      'transactions: a write that fails undoes the whole transaction and is what transact rejects with, though the work catches its error',
    open: refusesBeforehand,
  },
  {
    guarantee: 'A write need not be waited for',
    breakage: 'what is still under way when the work ends is lost',
    noticedBy:
      'transactions: a write that fails undoes the whole transaction and is what transact rejects with, though the work does not wait for it',
    open: losesWhatIsUnderWay,
  },
  {
    guarantee: 'A transaction answers while its work lasts',
    breakage: 'every call is a transaction of its own',
    noticedBy: 'transactions: once its work is over, no call of a transaction answers',
    open: commitsEachCall,
  },
  {
    guarantee: 'A transaction writes while its work lasts',
    breakage: 'every call commits for itself',
    noticedBy: 'transactions: once its work is over, no call of a transaction writes',
    open: commitsEachCall,
  },
  {
    guarantee: 'A failed transaction takes no other with it',
    breakage: 'transactions that share a commit share its failure',
    noticedBy: 'transactions: of twenty at once, the ones that throw leave nothing and the others everything',
    open: failsTogether,
  },
  {
    guarantee: 'A read sees the writes before it',
    breakage: 'late writes are not seen',
    noticedBy:
      'transactions: a read sees the writes before it in the same transaction, those not waited for too',
    open: () => deferredStorage({ sight: 'none' }),
  },
  {
    guarantee: 'What is not committed is not seen outside',
    breakage: 'every call commits for itself',
    noticedBy: 'transactions: a write is not seen outside before it is committed',
    open: commitsEachCall,
  },
  {
    guarantee: 'read does not write',
    breakage: 'read is transact by another name',
    noticedBy: 'read: tasks: softDelete in it throws and writes nothing',
    open: () => {
      const sound = memoryStorage()
      return { ...sound, read: (work) => sound.transact(work) }
    },
  },
  {
    guarantee: 'read does not hold',
    breakage: 'getForUpdate in it only reads',
    noticedBy: 'read: tasks: getForUpdate in it throws',
    open: () =>
      alterStorage((store) => ({ getForUpdate: (id) => store.getForUpdate(id).catch(() => store.get(id)) })),
  },
  {
    guarantee: 'read sees one moment',
    breakage: 'each call in it sees its own',
    noticedBy:
      'read: sees one moment: while an amount moves between two records, their sum is always the same',
    open: () => deferredStorage({ read: 'moments' }),
  },
  {
    guarantee: 'A survey sees one moment',
    breakage: 'each call in it sees its own',
    noticedBy: 'read: a survey sees one moment too',
    open: () => deferredStorage({ read: 'moments' }),
  },
  {
    guarantee: 'rows and total are of one moment',
    breakage: 'records are counted after they were read',
    noticedBy: 'read: rows and total of list are of one moment, while records come in',
    open: () => deferredStorage({ read: 'moments' }),
  },
  {
    guarantee: 'getForUpdate holds the record',
    breakage: 'it only reads',
    noticedBy:
      'holds and races: no update is lost: twenty that read with getForUpdate, add one and write are counted twenty times',
    open: () => deferredStorage({ getForUpdate: 'free' }),
  },
  {
    guarantee: 'getForUpdate with an optimistic lock loses no change',
    breakage: 'it only reads',
    noticedBy:
      'holds and races: no change is lost: twenty that read with getForUpdate with an optimistic lock, add one and write are counted twenty times',
    open: () => deferredStorage({ optimisticLock: 'free' }),
  },
  {
    guarantee: 'getForShare keeps writers out',
    breakage: 'it only reads',
    noticedBy:
      'holds and races: getForShare keeps writers out: the record is the same until the transaction ends',
    open: () => deferredStorage({ getForShare: 'free' }),
  },
  {
    guarantee: 'getForShare and getForUpdate exclude each other',
    breakage: 'getForShare only reads',
    noticedBy:
      'holds and races: getForShare and getForUpdate exclude each other: no stage is left in a pipeline deleted for having none',
    open: () => deferredStorage({ getForShare: 'free' }),
  },
  {
    guarantee: 'getForShare does not hinder others who share',
    breakage: 'it holds as getForUpdate does',
    noticedBy: 'holds and races: those who share a record do not hinder each other',
    open: () => deferredStorage({ getForShare: 'alone' }),
  },
  {
    guarantee: 'A record is deleted once',
    breakage: 'softDelete looks first and deletes later',
    noticedBy: 'holds and races: a record is deleted once: of twenty softDelete at once, one answers true',
    open: () => deferredStorage({ softDelete: 'free' }),
  },
  {
    guarantee: 'close waits for what has begun',
    breakage: 'it does not',
    noticedBy:
      'check and close: close waits for what has begun, may be called twice, and lets nothing begin after it',
    open: () => ({ ...memoryStorage(), close: async () => undefined }),
  },
]

export function keepsTheHalfDone(sound = memoryStorage()): Storage {
  return {
    ...sound,
    async transact(work) {
      const done = await sound.transact(async (tx) =>
        work(tx).then(
          (answer) => ({ answer }),
          (error: unknown) => ({ error }),
        ),
      )
      if ('error' in done) throw done.error
      return done.answer
    },
  }
}

/** Looks for a taken value before it inserts, and keeps to itself what it found. */
export function refusesBeforehand(): Storage {
  return alterStorage((store, { spec: place }) => ({
    async insert(row) {
      const taken = await findConflict(store, place, row)
      if (taken) throw conflict(taken)
      await store.insert(row)
    },
  }))
}

export function losesWhatIsUnderWay(sound = memoryStorage()): Storage {
  return alterStores(sound, (store) => ({
    async insert(row) {
      for (let turn = 0; turn < 20; turn += 1) await store.get(row.id).catch(() => undefined)
      await store.insert(row).catch(() => undefined)
    },
  }))
}

export function commitsEachCall(sound = memoryStorage()): Storage {
  const storeAt = (place: CollectionSpec, workspace: string) => storePerCall(sound.transact, place, workspace)
  const outbox = outboxPerCall(sound.transact)
  const tx = createTransaction(storeAt, {
    savepoint: (part) => part(),
    outbox,
    notify: () => void sound.transact(async (tx) => tx.notify()),
  })
  return { ...sound, transact: (work) => work(tx) }
}

function staysBroken(): Storage {
  const sound = memoryStorage()
  let failed = false
  return {
    ...sound,
    async transact(work) {
      if (failed) throw new Error('current transaction is aborted')
      return sound.transact(work).catch((error) => {
        failed = true
        throw error
      })
    },
  }
}

export function failsTogether(): Storage {
  const sound = memoryStorage()
  let group: Promise<unknown>[] = []
  return {
    ...sound,
    async transact(work) {
      const mine = sound.transact(work)
      group.push(mine)
      const together = group
      await Promise.allSettled(together)
      group = []
      await Promise.all(together)
      return mine
    },
  }
}
