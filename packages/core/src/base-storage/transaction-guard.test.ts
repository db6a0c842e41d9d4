import { expect, test } from 'vitest'
import { TransactionGuard } from './transaction-guard.ts'

/** A verb of a store that is no async function. */
const throwAtOnce = (): Promise<void> => {
  throw new Error('disk I/O error')
}

test('a write that throws before it returns a promise fails the transaction, even if its error is caught', async () => {
  const guard = new TransactionGuard(true)
  const transaction = guard.run(async () => {
    try {
      await guard.write(throwAtOnce)
    } catch {
      return 'result'
    }
    return 'unreachable'
  })
  await expect(transaction).rejects.toThrow('disk I/O error')
})

test('a read or a lock that throws before it returns a promise rejects', async () => {
  const guard = new TransactionGuard(true)
  await expect(guard.read(throwAtOnce)).rejects.toThrow('disk I/O error')
  await expect(guard.lock(throwAtOnce)).rejects.toThrow('disk I/O error')
})
