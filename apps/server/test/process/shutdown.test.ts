import { expect, test } from 'vitest'
import { stopInOrder } from '../../src/process/shutdown.ts'

test('runs every step although others fail, and rejects with the first error at the end', async () => {
  const steps: string[] = []
  const slowStep = Promise.withResolvers<void>()
  const stopping = stopInOrder(
    [
      () => Promise.reject(new Error('mail hangs')),
      async () => {
        await slowStep.promise
        steps.push('serving')
      },
    ],
    [
      async () => {
        steps.push('counting')
        throw new Error('disk full')
      },
    ],
    [async () => steps.push('store')],
  )
  slowStep.resolve()
  await expect(stopping).rejects.toThrow('mail hangs')
  expect(steps).toEqual(['serving', 'counting', 'store'])
})
