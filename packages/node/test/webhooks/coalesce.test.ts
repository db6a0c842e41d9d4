import { expect, test } from 'vitest'
import { coalesce } from '../../src/webhooks/coalesce.ts'
import { runEventLoop } from './event-loop.ts'

test('coalesce merges the calls of one event loop iteration, and those during a run, into one run', async () => {
  const runs: PromiseWithResolvers<void>[] = []
  const call = coalesce(() => {
    const run = Promise.withResolvers<void>()
    runs.push(run)
    return run.promise
  })
  const first = call()
  void call()
  await runEventLoop()
  expect(runs).toHaveLength(1)
  void call()
  const last = call()
  await runEventLoop()
  expect(runs).toHaveLength(1)
  runs[0]!.resolve()
  await runEventLoop()
  expect(runs).toHaveLength(2)
  runs[1]!.resolve()
  await Promise.all([first, last])
  expect(runs).toHaveLength(2)
})
