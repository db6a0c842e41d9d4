import { memoryStorage } from '@sales-crm/core/memory'
import { afterEach, expect, test, vi } from 'vitest'
import { openService, openWorkspace } from '../support/test-service.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** A service whose gate records what it is told of each call. */
async function openRecordedService() {
  const calls: [isRead: boolean | undefined, noted: boolean][] = []
  const service = await openService(memoryStorage(), {
    gate: (local) => ({
      ...local,
      authorize(grant, rateLimit, isRead) {
        calls.push([isRead, false])
        return local.authorize(grant, rateLimit)
      },
      async noteWrite({ workspaceId }) {
        expect(workspaceId).toBe(acme.id)
        calls.at(-1)![1] = true
      },
    }),
  })
  const acme = await openWorkspace(service)
  calls.length = 0
  return { acme, calls }
}

/** Makes each call of the service seem to take as long. */
function slowDown(milliseconds: number): void {
  let now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += milliseconds
    return now
  })
}

test('a gate learns which calls only read', async () => {
  const { acme, calls } = await openRecordedService()
  await acme.call('GET', '/v1/tasks')
  await acme.createRecord('/v1/tasks', { title: 'One' })
  expect(calls).toEqual([
    [true, false],
    [false, false],
  ])
})

test('a call that may write is announced again, before its response, if it took long', async () => {
  const { acme, calls } = await openRecordedService()
  slowDown(5001)
  await acme.createRecord('/v1/tasks', { title: 'One' })
  await acme.call('GET', '/v1/tasks')
  await acme.call('POST', '/v1/tasks', {})
  expect(calls).toEqual([
    [false, true],
    [true, false],
    [false, true],
  ])
})
