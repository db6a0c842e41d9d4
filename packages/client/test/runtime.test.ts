import { getEventListeners } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { rejectOnAbort, systemRuntime } from '../src/runtime.ts'
import { openLiveClient } from './support/live-client.ts'

test('waiting rejects at once if the signal is already aborted, and leaves no timer', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const signal = AbortSignal.abort('stopped')
  await expect(systemRuntime.sleep(1_000_000, signal)).rejects.toBe('stopped')
  await expect(rejectOnAbort(new Promise(() => {}), signal)).rejects.toBe('stopped')
  expect(vi.getTimerCount()).toBe(0)
})

test('waiting and calls leave no listeners on a signal', async () => {
  const { signal } = new AbortController()
  await systemRuntime.sleep(1, signal)
  await expect(rejectOnAbort(Promise.reject(new Error('No.')), signal)).rejects.toThrow('No.')
  const { crm } = await openLiveClient()
  await crm.people.list({}, { signal })
  await expect(crm.people.get('1', { signal })).rejects.toMatchObject({ code: 'not_found' })
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
