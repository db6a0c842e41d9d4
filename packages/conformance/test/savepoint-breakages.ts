import { CrmError, type Storage } from '@sales-crm/core/ports'
import {
  alterSavepoint,
  failOnSavepointError,
  ignoreFailuresAfterSavepoint,
  ignoreInner,
  keepInner,
  keepSharedUpdates,
  keepValuesTaken,
  rejectSavepointsOfReads,
  rejectWithWorkError,
  rollBackAlways,
  rollBackOnlyFirst,
} from './altered-savepoints.ts'
import type { Breakage } from './breakage.ts'
import { checkConflictsFirst, commitEachCall, loseUnawaitedWrites } from './broken-transactions.ts'
import { deferredStorage } from './deferred-storage.ts'

export const SAVEPOINT_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'A failed savepoint is rolled back',
    breakage: 'writes of a failed savepoint are kept',
    noticedBy: 'savepoint: custom_fields: rolls back update alone when its work throws',
    open: () => alterSavepoint(() => (work) => work()),
  },
  {
    guarantee: 'A savepoint is rolled back alone',
    breakage: 'a failed savepoint rolls back the whole transaction',
    noticedBy: 'savepoint: activities: rolls back insert alone when its work throws',
    open: () => deferredStorage({ savepoint: 'rollsBackAll' }),
  },
  {
    guarantee: 'A successful savepoint is kept',
    breakage: 'every savepoint is rolled back',
    noticedBy:
      'savepoint: keeps its writes, visible in it and after it, and resolves with the value of its work',
    open: () => alterSavepoint(rollBackAlways),
  },
  {
    guarantee: 'A transaction continues after a failed savepoint',
    breakage: 'a failed savepoint fails its transaction',
    noticedBy: 'savepoint: rejects with the error of its work, unchanged, and the transaction continues',
    open: () => failOnSavepointError(() => true),
  },
  {
    guarantee: 'A savepoint within another one fails alone',
    breakage: 'a savepoint within another one is not rolled back',
    noticedBy: 'savepoint: within another one fails alone, and the other continues',
    open: () => alterSavepoint(ignoreInner),
  },
  {
    guarantee: 'A savepoint within another one is rolled back with it',
    breakage: 'writes of inner savepoints stay when the outer one fails',
    noticedBy: 'savepoint: within another one is rolled back with it',
    open: () => alterSavepoint(keepInner),
  },
  {
    guarantee: 'Errors of a savepoint are passed through unchanged',
    breakage: 'savepoint wraps the error in its own',
    noticedBy: 'savepoint: rejects with the error of its work, unchanged, and the transaction continues',
    open: () =>
      alterSavepoint(
        (tx) => (work) => tx.savepoint(work).catch((cause) => Promise.reject(new Error('failed', { cause }))),
      ),
  },
  {
    guarantee: 'A failed write fails its savepoint',
    breakage: 'an error that the savepoint work catches is ignored',
    noticedBy: 'savepoint: fails alone with the conflict of a write when its work catches the error',
    open: checkConflictsFirst,
  },
  {
    guarantee: 'A savepoint reports its conflicts',
    breakage: 'conflicts in a savepoint are reported at commit',
    noticedBy: 'savepoint: fails alone with the conflict of a write when its work does not await it',
    open: () => deferredStorage({ savepoint: 'unchecked' }),
  },
  {
    guarantee: 'An unawaited write belongs to its savepoint',
    breakage: 'writes in flight when the savepoint ends come after it',
    noticedBy: 'savepoint: keeps or rolls back a write that its work does not await',
    open: loseUnawaitedWrites,
  },
  {
    guarantee: 'A savepoint rejects with the first failure',
    breakage: 'savepoint rejects with the error its work threw',
    noticedBy: 'savepoint: rejects with a conflict that its work catches before it throws another error',
    open: () => alterSavepoint(rejectWithWorkError),
  },
  {
    guarantee: 'Any failed write fails only its savepoint',
    breakage: 'a failed write other than a conflict fails the transaction',
    noticedBy: 'savepoint: rejects alone when a write fails for a reason other than a conflict',
    open: () => failOnSavepointError((error) => !(error instanceof CrmError)),
  },
  {
    guarantee: 'A failed savepoint frees its values',
    breakage: 'values of a failed savepoint stay taken',
    noticedBy:
      'savepoint: task_types.key: frees the values it took and restores those it freed when its work throws',
    open: keepValuesTaken,
  },
  {
    guarantee: 'An earlier failed write fails the transaction',
    breakage: 'a failed savepoint also rolls back an earlier failed write',
    noticedBy: 'savepoint: does not prevent an earlier failed write from failing the transaction',
    open: () => deferredStorage({ savepoint: 'rollsBackAll' }),
  },
  {
    guarantee: 'A later failed write fails the transaction',
    breakage: 'writes after a savepoint belong to it',
    noticedBy: 'savepoint: does not prevent a later failed write from failing the transaction',
    open: ignoreFailuresAfterSavepoint,
  },
  {
    guarantee: 'A savepoint rejects after the work has ended',
    breakage: 'a savepoint runs at any time',
    noticedBy: 'savepoint: rejects after the work of its transaction has ended',
    open: () => alterSavepoint(() => (work) => work()),
  },
  {
    guarantee: 'Every savepoint can fail alone',
    breakage: 'only the first savepoint can fail alone',
    noticedBy:
      'savepoint: rolls back each that throws among fifty successive savepoints and keeps the others',
    open: () => alterSavepoint(rollBackOnlyFirst),
  },
  {
    guarantee: 'A savepoint is rolled back with its transaction',
    breakage: 'a savepoint commits',
    noticedBy: 'savepoint: is rolled back with its transaction',
    open: commitEachCall,
  },
  {
    guarantee: 'A savepoint covers every collection',
    breakage: 'writes to shared collections are not rolled back',
    noticedBy: 'savepoint: rolls back writes to two workspaces and to shared collections',
    open: keepSharedUpdates,
  },
  {
    guarantee: 'A read supports savepoints',
    breakage: 'savepoint in a read throws',
    noticedBy: 'savepoint: can read but not write within a read',
    open: rejectSavepointsOfReads,
  },
  {
    guarantee: 'Savepoints of concurrent transactions fail alone',
    breakage: 'a failed savepoint rolls back its transaction',
    noticedBy: 'savepoint: fails without affecting the other writes of twenty concurrent transactions',
    open: () => deferredStorage({ savepoint: 'rollsBackAll' }),
  },
  {
    guarantee: 'A savepoint conflicts with concurrent transactions',
    breakage: 'a savepoint is compared only with committed data',
    noticedBy:
      'savepoint: conflicts in nineteen of twenty transactions that insert one value, and all commit',
    open: () => deferredStorage({ uniqueValues: 'unlocked' }),
  },
  {
    guarantee: 'A successful savepoint keeps its locks',
    breakage: 'the locks of a savepoint end with it',
    noticedBy: 'savepoint: holds its locks after it succeeds until the transaction ends',
    open: () => deferredStorage({ savepoint: 'releasesLocks' }),
  },
  {
    guarantee: 'A failed savepoint keeps earlier locks',
    breakage: 'all locks end with a savepoint',
    noticedBy: 'savepoint: does not release earlier locks when it writes and throws',
    open: () => deferredStorage({ savepoint: 'releasesLocks' }),
  },
  {
    guarantee: 'A deadlock in a savepoint retries the work',
    breakage: 'a deadlock fails only the savepoint',
    noticedBy:
      'savepoint: retries the transaction after a deadlock, even if the transaction catches the error',
    open: () => deferredStorage({ deadlock: 'catchable' }),
  },
]
