import { expect, test } from 'vitest'
import { stopInOrder } from '../../src/process/shutdown.ts'

test('what cannot be ended keeps nothing else from it, before it or after it, and is told last', async () => {
  const ended: string[] = []
  const slow = Promise.withResolvers<void>()
  const ending = stopInOrder(
    [
      () => Promise.reject(new Error('mail hangs')),
      async () => {
        await slow.promise
        ended.push('serving')
      },
    ],
    [
      async () => {
        ended.push('counting')
        throw new Error('disk full')
      },
    ],
    [async () => ended.push('store')],
  )
  slow.resolve()
  await expect(ending).rejects.toThrow('mail hangs')
  expect(ended).toEqual(['serving', 'counting', 'store'])
})
