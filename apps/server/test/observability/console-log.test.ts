import { afterEach, expect, test, vi } from 'vitest'
import { consoleLog } from '../../src/observability/console-log.ts'

afterEach(() => vi.restoreAllMocks())

test('warnings and errors are JSON lines without secrets, and nothing else is written', () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  consoleLog.info({ status: 200 })
  consoleLog.warn('Two copies.')
  consoleLog.error({ status: 500 }, `Failed with whsec_${'a'.repeat(64)}.`)
  expect(write.mock.calls.map(([line]) => String(line))).toEqual([
    '{"level":"warn","msg":"Two copies."}\n',
    '{"level":"error","status":500,"msg":"Failed with …."}\n',
  ])
})
