import { CrmError, type Storage } from '@sales-crm/core/ports'
import {
  alterSavepoint,
  failsWithItsParts,
  forgetsAfterAPart,
  keepsValues,
  keepsWhatIsShared,
  refusesPartsOfReads,
  rejectsWithTheLast,
  rollsBack,
  savesOnce,
} from './altered-savepoints.ts'
import type { Breakage } from './breakage.ts'
import { deferredStorage } from './deferred-storage.ts'
import { commitsEachCall, losesWhatIsUnderWay, refusesBeforehand } from './transaction-breakages.ts'

export const SAVEPOINT_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'A part that fails leaves nothing',
    breakage: 'what it wrote stays',
    noticedBy: 'attempt: custom_fields: update is taken back alone when the part throws',
    open: () => alterSavepoint(() => (part) => part()),
  },
  {
    guarantee: 'A part is taken back alone',
    breakage: 'all that the transaction wrote is',
    noticedBy: 'attempt: activities: insert is taken back alone when the part throws',
    open: () => deferredStorage({ attempt: 'all' }),
  },
  {
    guarantee: 'What a part writes is kept',
    breakage: 'every part is taken back',
    noticedBy: 'attempt: what a part writes is kept, seen by it and after it, and its value returned',
    open: () => alterSavepoint(rollsBack),
  },
  {
    guarantee: 'A transaction goes on after a part that failed',
    breakage: 'it fails with the part',
    noticedBy: 'attempt: an error passes through unchanged, and the transaction goes on',
    open: () => failsWithItsParts(() => true),
  },
  {
    guarantee: 'Errors of a part pass through unchanged',
    breakage: 'attempt wraps them in its own',
    noticedBy: 'attempt: an error passes through unchanged, and the transaction goes on',
    open: () =>
      alterSavepoint(
        (tx) => (part) => tx.savepoint(part).catch((cause) => Promise.reject(new Error('failed', { cause }))),
      ),
  },
  {
    guarantee: 'A failed write fails its part',
    breakage: 'an error that the part catches is passed over',
    noticedBy:
      'attempt: a conflict is what its attempt rejects with, and the transaction goes on, when the part catches its error',
    open: refusesBeforehand,
  },
  {
    guarantee: 'A part is settled when its attempt is',
    breakage: 'it is judged with the commit',
    noticedBy:
      'attempt: a conflict is what its attempt rejects with, and the transaction goes on, when the part does not wait for it',
    open: () => deferredStorage({ attempt: 'unjudged' }),
  },
  {
    guarantee: 'A write that nobody waits for is of its part',
    breakage: 'what is still under way when the part ends comes after it',
    noticedBy: 'attempt: a write that its part does not wait for is kept or taken back with it',
    open: losesWhatIsUnderWay,
  },
  {
    guarantee: 'An attempt rejects with the first failure',
    breakage: 'it rejects with what the part threw',
    noticedBy:
      'attempt: a part that catches a conflict and throws an error of its own rejects with the conflict',
    open: () => alterSavepoint(rejectsWithTheLast),
  },
  {
    guarantee: 'Any failed write fails its part alone',
    breakage: 'one that is no conflict fails the transaction',
    noticedBy: 'attempt: a write that fails for another reason than a conflict rejects its attempt alone too',
    open: () => failsWithItsParts((error) => !(error instanceof CrmError)),
  },
  {
    guarantee: 'A value taken in a part that failed is free',
    breakage: 'it stays taken',
    noticedBy:
      'attempt: task_types.key: a value taken in a part that threw is free again, and one freed is taken',
    open: keepsValues,
  },
  {
    guarantee: 'A failed write outside is not forgotten',
    breakage: 'a part that fails takes it back too',
    noticedBy:
      'attempt: a write that failed before an attempt fails the transaction, whatever the attempt made of it',
    open: () => deferredStorage({ attempt: 'all' }),
  },
  {
    guarantee: 'What fails after an attempt fails the transaction',
    breakage: 'the rest of the transaction belongs to the part',
    noticedBy:
      'attempt: a write that fails after an attempt fails the transaction, whether or not the attempt did',
    open: forgetsAfterAPart,
  },
  {
    guarantee: 'A transaction attempts while its work lasts',
    breakage: 'a part runs at any time',
    noticedBy: 'attempt: once its work is over, a transaction attempts nothing',
    open: () => alterSavepoint(() => (part) => part()),
  },
  {
    guarantee: 'Every part can fail alone',
    breakage: 'the first alone can',
    noticedBy:
      'attempt: of many parts, one after another, the ones that throw leave nothing and the others everything',
    open: () => alterSavepoint(savesOnce),
  },
  {
    guarantee: 'What a part wrote is undone with the transaction',
    breakage: 'a part commits',
    noticedBy: 'attempt: a transaction that throws takes back what its attempts kept',
    open: commitsEachCall,
  },
  {
    guarantee: 'A part is taken back wherever it wrote',
    breakage: 'the shared collections are not',
    noticedBy: 'attempt: a part that throws is taken back in two workspaces and above them',
    open: keepsWhatIsShared,
  },
  {
    guarantee: 'A read has parts too',
    breakage: 'attempt in it throws',
    noticedBy: 'attempt: within a read a part reads, and its write is refused',
    open: refusesPartsOfReads,
  },
  {
    guarantee: 'Parts of transactions at once fail apart',
    breakage: 'a part that fails takes its transaction back',
    noticedBy: 'attempt: of twenty transactions at once, each keeps what it wrote around a part that failed',
    open: () => deferredStorage({ attempt: 'all' }),
  },
  {
    guarantee: 'A part is judged against transactions under way',
    breakage: 'it is compared with what is committed',
    noticedBy:
      'attempt: of twenty at once that attempt one value, one has it, nineteen get the conflict there, and all are committed',
    open: () => deferredStorage({ values: 'free' }),
  },
  {
    guarantee: 'What a part holds is held after it',
    breakage: 'its holds end with it',
    noticedBy: 'attempt: getForUpdate in a part that succeeds holds the record until the transaction ends',
    open: () => deferredStorage({ attempt: 'free' }),
  },
  {
    guarantee: 'A part that fails lets go of no earlier hold',
    breakage: 'every hold ends with it',
    noticedBy: 'attempt: what was held before a part that wrote and threw is held after it',
    open: () => deferredStorage({ attempt: 'free' }),
  },
  {
    guarantee: 'A deadlock in a part runs the work again',
    breakage: 'the part fails of it',
    noticedBy:
      'attempt: a deadlock within a part is not its transaction to hear of, though it catches what the part throws',
    open: () => deferredStorage({ deadlock: 'heard' }),
  },
]
