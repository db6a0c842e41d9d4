export type {
  BaseSharedStores,
  BaseStorage,
  BaseStore,
  BaseTransaction,
  BaseWorkspaceStores,
  FindOptions,
  OwnCondition,
} from './base-storage.ts'
export { compare } from './compare.ts'
export { completeStorage } from './complete-storage.ts'
export { createMatcher } from './create-matcher.ts'
export { TransactionContext } from './transaction-context.ts'
export { TransactionGuard } from './transaction-guard.ts'
