import type { ImportApi } from '@sales-crm/core'
import { expect, test, vi } from 'vitest'
import { startImportWorker } from '../../src/background/import-worker.ts'

test('logs the first of several failures, and that imports continue', async () => {
  vi.useFakeTimers()
  const outcomes = [false, true, true, false, true]
  const shouldFail = vi.fn(() => outcomes.shift() ?? false)
  const imports = {
    async continue() {
      if (shouldFail()) throw new Error('no')
      return false
    },
    async release() {},
  } as unknown as ImportApi
  const lines: string[] = []
  const stop = startImportWorker(imports, {
    error: (_: object, line: string) => lines.push(line),
    info: (line: string) => lines.push(line),
  } as unknown as Parameters<typeof startImportWorker>[1])
  await vi.advanceTimersByTimeAsync(2600)
  vi.useRealTimers()
  await stop()
  const failure = 'A step of an import failed. It will be repeated within half a minute.'
  expect(shouldFail.mock.calls.length).toBeGreaterThanOrEqual(5)
  expect(lines.slice(0, 3)).toEqual([failure, 'Imports continue again.', failure])
})
