import type { Dialect } from '../dialect.ts'
import { bindValues, compileStatement } from '../statements/statement.ts'
import { invalidateReads, type TransactionState } from '../transaction-state.ts'

/** Locks keys until the transaction ends, where transactions do not hold the whole database. */
export function createKeyLock({ compiler, lockKey }: Dialect) {
  const statement = lockKey && compileStatement(compiler.selectNoFrom(lockKey.as('locked')), compiler)

  return (state: TransactionState, key: string): Promise<void> =>
    state.guard.lock(async () => {
      if (!statement) return
      await state.connection.query(statement, bindValues(statement, { key }))
      invalidateReads(state)
    })
}
