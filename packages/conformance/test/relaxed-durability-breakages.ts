import { setImmediate } from 'node:timers/promises'
import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage } from '@sales-crm/core/ports'
import type { Breakage } from './breakage.ts'
import { deferredStorage } from './deferred-storage.ts'
import { runAndRollBack } from './deferred-unit.ts'
import {
  commitsEachCall,
  failsTogether,
  keepsTheHalfDone,
  losesWhatIsUnderWay,
} from './transaction-breakages.ts'

const CLOSE =
  'check and close: close waits for what has begun, may be called twice, and lets nothing begin after it'
const SEEN =
  'unsynced: it resolves with what the work returns, once what it wrote is seen by reads and by transactions of either kind'

export const RELAXED_DURABILITY_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'What is not synced is seen at once',
    breakage: 'it is committed after it is answered',
    noticedBy: SEEN,
    open: () => alterRelaxed(answersEarly),
  },
  {
    guarantee: 'What is not synced answers as its work does',
    breakage: 'it answers nothing',
    noticedBy: SEEN,
    open: () =>
      alterRelaxed((memory) => ({
        transact: (work) => memory.transact(work).then(() => undefined as never),
      })),
  },
  {
    guarantee: 'What is not synced is committed as a whole',
    breakage: 'every call of it commits for itself',
    noticedBy: 'unsynced: it is not seen outside before it is committed',
    open: () => alterRelaxed(commitsEachCall),
  },
  {
    guarantee: 'What is not synced is undone when it throws',
    breakage: 'what was written before the error stays',
    noticedBy: 'unsynced: all of it is undone when the work throws, and the error passes through unchanged',
    open: () => alterRelaxed(keepsTheHalfDone),
  },
  {
    guarantee: 'A write that is not synced need not be waited for',
    breakage: 'what is still under way when the work ends is lost',
    noticedBy:
      'unsynced: a write that fails undoes all of it and is what it rejects with, though the work does not wait for it',
    open: () => alterRelaxed(losesWhatIsUnderWay),
  },
  {
    guarantee: 'What is not synced has parts too',
    breakage: 'attempt in it throws',
    noticedBy: 'unsynced: a part of it may fail alone',
    open: () => {
      const attempt = () => Promise.reject(new Error('There is nothing to attempt.'))
      return alterRelaxed((memory) => ({
        transact: (work) => memory.transact((tx) => work({ ...tx, savepoint: attempt })),
      }))
    },
  },
  {
    guarantee: 'A commit that both kinds share fails nobody else',
    breakage: 'transactions that share it share its failure',
    noticedBy:
      'unsynced: of twenty at once, every other one of them unsynced, the ones that throw leave nothing and the others everything',
    open: () => {
      return failsTogether()
    },
  },
  {
    guarantee: 'What is not synced holds',
    breakage: 'getForUpdate in it only reads',
    noticedBy:
      'unsynced: no update is lost: twenty that read with getForUpdate, add one and write, every other one unsynced, are counted twenty times',
    open: () => deferredStorage({ relaxed: 'free' }),
  },
  {
    guarantee: 'After a deadlock what is not synced runs again',
    breakage: 'it rejects with the deadlock',
    noticedBy:
      'unsynced: of two that hold the same records in opposite order, one of them unsynced, both come through, run again if need be',
    open: () => deferredStorage({ relaxed: 'deadlock' }),
  },
  {
    guarantee: 'What is not synced wakes',
    breakage: 'nobody is called for it',
    noticedBy: 'unsynced: whoever listens is called after it when it said wake',
    open: () =>
      alterRelaxed((memory) => ({
        transact: (work) => memory.transact((tx) => work({ ...tx, notify: () => undefined })),
      })),
  },
  {
    guarantee: 'What is not synced lasts as long as its work',
    breakage: 'every call of it commits for itself',
    noticedBy: 'transactions: once its work is over, no call of a transaction writes',
    open: () => alterRelaxed(commitsEachCall),
  },
  {
    guarantee: 'close waits for what is not synced',
    breakage: 'it does not',
    noticedBy: CLOSE,
    open: () =>
      alterRelaxed((memory) => ({
        transact: (work) => memory.transact(work).then((answer) => setImmediate(answer)),
      })),
  },
  {
    guarantee: 'Nothing begins after close, synced or not',
    breakage: 'what is not synced does',
    noticedBy: CLOSE,
    open: () => alterRelaxed(() => memoryStorage()),
  },
]

/** A sound store, but for those that are not synced. */
function alterRelaxed(relaxed: (memory: Storage) => Pick<Storage, 'transact'>): Storage {
  const memory = memoryStorage()
  const broken = relaxed(memory)
  return {
    ...memory,
    transact: (work, options) => (options?.durability === 'relaxed' ? broken : memory).transact(work),
  }
}

function answersEarly(memory: Storage): Pick<Storage, 'transact'> {
  return {
    async transact(work) {
      const answer = await runAndRollBack(memory, [], work)
      void setImmediate().then(() => memory.transact(work))
      return answer
    },
  }
}
