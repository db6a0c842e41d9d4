import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage } from '@sales-crm/core/ports'
import { alterStorage, findConflict } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'
import {
  checkConflictsFirst,
  commitEachCall,
  commitOnError,
  failForeverAfterError,
  loseUnawaitedWrites,
  neverLeaveTransactions,
  permitNesting,
  shareFailures,
} from './broken-transactions.ts'
import { deferredStorage } from './deferred-storage.ts'

export const TRANSACTION_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'insertMany inserts all records',
    breakage: 'insertMany stops after a hundred records',
    noticedBy: 'insertMany: people: inserts one and five hundred records unchanged',
    open: () => alterStorage((store) => ({ insertMany: (rows) => store.insertMany(rows.slice(0, 100)) })),
  },
  {
    guarantee: 'insertMany is atomic',
    breakage: 'insertMany skips records that conflict',
    noticedBy:
      'insertMany: inserts nothing if one record conflicts, with a stored record or within the batch',
    open: () =>
      alterStorage((store, { spec }) => ({
        async insertMany(rows) {
          for (const row of rows) if (!(await findConflict(store, spec, row))) await store.insert(row)
        },
      })),
  },
  {
    guarantee: 'transact rolls back',
    breakage: 'writes before the error are kept',
    noticedBy: 'transactions: deals: update is rolled back when the work throws',
    open: commitOnError,
  },
  {
    guarantee: 'Errors are passed through unchanged',
    breakage: 'transact wraps the error in its own',
    noticedBy: 'transactions: transact and read reject with the error of the work, unchanged',
    open: () => {
      const storage = memoryStorage()
      return {
        ...storage,
        transact: (work) =>
          storage.transact(work).catch((cause) => Promise.reject(new Error('failed', { cause }))),
      }
    },
  },
  {
    guarantee: 'A transaction works after a failed one',
    breakage: 'an error leaves the connection unusable',
    noticedBy: 'transactions: a conflict rolls back the whole transaction, and the next transaction works',
    open: failForeverAfterError,
  },
  {
    guarantee: 'A failed write fails its transaction',
    breakage: 'an error that the work catches is ignored',
    noticedBy: 'transactions: a failed write fails the whole transaction even if the work catches its error',
    open: checkConflictsFirst,
  },
  {
    guarantee: 'A write need not be awaited',
    breakage: 'writes in flight when the work ends are lost',
    noticedBy: 'transactions: a failed write fails the whole transaction even if the work does not await it',
    open: loseUnawaitedWrites,
  },
  {
    guarantee: 'Reads reject after the work has ended',
    breakage: 'every call is a transaction of its own',
    noticedBy: 'transactions: every read rejects after the work has ended',
    open: commitEachCall,
  },
  {
    guarantee: 'Writes reject after the work has ended',
    breakage: 'every call commits by itself',
    noticedBy: 'transactions: every write rejects after the work has ended',
    open: commitEachCall,
  },
  {
    guarantee: 'A transaction within another one rejects',
    breakage: 'a transaction within another one commits by itself',
    noticedBy:
      'transactions: a transaction or read begun within the work of another rejects, and the other one goes on',
    open: permitNesting,
  },
  {
    guarantee: 'A transaction may begin after the end of the work that leads to it',
    breakage: 'a transaction is never over for what its work has started',
    noticedBy: 'transactions: a transaction begun by what a work has started, after its end, runs',
    open: neverLeaveTransactions,
  },
  {
    guarantee: 'A failed transaction fails no other',
    breakage: 'transactions that share a commit share its failure',
    noticedBy: 'transactions: of twenty concurrent transactions, only those that throw are rolled back',
    open: shareFailures,
  },
  {
    guarantee: 'A read sees earlier writes',
    breakage: 'deferred writes are invisible to reads',
    noticedBy: 'transactions: a read sees earlier writes of its transaction, awaited or not',
    open: () => deferredStorage({ ownWrites: 'invisible' }),
  },
  {
    guarantee: 'Uncommitted writes are invisible',
    breakage: 'every call commits by itself',
    noticedBy: 'transactions: an uncommitted write is invisible to other transactions',
    open: commitEachCall,
  },
  {
    guarantee: 'read rejects writes',
    breakage: 'read is an alias of transact',
    noticedBy: 'read: tasks: rejects softDelete and writes nothing',
    open: () => {
      const storage = memoryStorage()
      return { ...storage, read: (work) => storage.transact(work) }
    },
  },
  {
    guarantee: 'read rejects locks',
    breakage: 'getForUpdate in a read only reads',
    noticedBy: 'read: tasks: rejects getForUpdate',
    open: () =>
      alterStorage((store) => ({ getForUpdate: (id) => store.getForUpdate(id).catch(() => store.get(id)) })),
  },
  {
    guarantee: 'read sees one snapshot',
    breakage: 'each call of a read sees its own snapshot',
    noticedBy:
      'read: sees one snapshot: a sum over two records is constant while an amount moves between them',
    open: () => deferredStorage({ read: 'perCall' }),
  },
  {
    guarantee: 'A report sees one snapshot',
    breakage: 'each call of a read sees its own snapshot',
    noticedBy: 'read: sees one snapshot with the report workload',
    open: () => deferredStorage({ read: 'perCall' }),
  },
  {
    guarantee: 'rows and total come from one snapshot',
    breakage: 'records are counted after they are read',
    noticedBy: 'read: lists rows and total from one snapshot while records are inserted',
    open: () => deferredStorage({ read: 'perCall' }),
  },
  {
    guarantee: 'getForUpdate locks the record',
    breakage: 'getForUpdate only reads',
    noticedBy: 'row locks: twenty concurrent increments with getForUpdate are all counted',
    open: () => deferredStorage({ getForUpdate: 'unlocked' }),
  },
  {
    guarantee: 'An optimistic lock loses no update',
    breakage: 'getForUpdate with an optimistic lock only reads',
    noticedBy: 'row locks: twenty concurrent increments with an optimistic lock are all counted',
    open: () => deferredStorage({ optimisticLock: 'unlocked' }),
  },
  {
    guarantee: 'getForShare blocks writers',
    breakage: 'getForShare only reads',
    noticedBy: 'row locks: getForShare blocks writers until the transaction ends',
    open: () => deferredStorage({ getForShare: 'unlocked' }),
  },
  {
    guarantee: 'getForShare and getForUpdate exclude each other',
    breakage: 'getForShare only reads',
    noticedBy:
      'row locks: getForShare and getForUpdate exclude each other: no deleted pipeline keeps a stage',
    open: () => deferredStorage({ getForShare: 'unlocked' }),
  },
  {
    guarantee: 'getForShare does not block getForShare',
    breakage: 'getForShare locks exclusively',
    noticedBy: 'row locks: concurrent getForShare locks do not block each other',
    open: () => deferredStorage({ getForShare: 'exclusive' }),
  },
  {
    guarantee: 'A record is deleted once',
    breakage: 'softDelete reads first and deletes later',
    noticedBy: 'row locks: one of twenty concurrent softDelete calls returns true',
    open: () => deferredStorage({ softDelete: 'unlocked' }),
  },
  {
    guarantee: 'close waits for running work',
    breakage: 'close does not wait for running work',
    noticedBy: 'check and close: close waits for running work, can be called twice, and rejects later work',
    open: () => ({ ...memoryStorage(), close: async () => undefined }),
  },
]
