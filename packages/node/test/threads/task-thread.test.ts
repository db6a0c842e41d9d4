import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { nodePorts, sanitizeHtml } from '../../src/index.ts'
import { TaskThread } from '../../src/threads/task-thread.ts'
import type { TASKS } from './echo-thread.ts'

const CLEAN_AND_EXIT = fileURLToPath(new URL('./clean-and-exit.ts', import.meta.url))
const THREAD = new URL('./echo-thread.ts', import.meta.url)

function openThread() {
  return new TaskThread<typeof TASKS>(THREAD)
}

test('runs functions in order of the calls, and passes errors on', async () => {
  const thread = openThread()
  const results = await Promise.allSettled([
    thread.run('double', 1),
    thread.run('fail', 'too large'),
    thread.run('double', 2),
  ])
  expect(results).toEqual([
    { status: 'fulfilled', value: 2 },
    { status: 'rejected', reason: new RangeError('too large') },
    { status: 'fulfilled', value: 4 },
  ])
})

test('moves the buffers of an argument', async () => {
  const bytes = new Uint8Array(1000)
  expect(await openThread().run('readLength', bytes, [bytes.buffer])).toBe(1000)
  expect(bytes.length).toBe(0)
})

test('a thread that ends fails its calls and is replaced for the next', async () => {
  const thread = openThread()
  const calls = await Promise.allSettled([thread.run('end', undefined as never), thread.run('double', 1)])
  expect(calls.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await thread.run('double', 3)).toBe(6)
})

test('the process stays alive for a call, but not for the idle thread', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [CLEAN_AND_EXIT])
  expect(stdout).toBe('10000\n')
})

test('long contents are cleaned and decoded as short ones are, while the event loop turns', async () => {
  const { sanitizeHtml: sanitizeInThread, files } = nodePorts()
  const html = '<p onclick="x()">Ana <script>steal()</script>&amp; Bia</p>'.repeat(2000)
  let turns = 0
  const timer = setInterval(() => (turns += 1))
  const cleaned = await sanitizeInThread(html)
  clearInterval(timer)
  expect(cleaned).toBe(sanitizeHtml(html))
  expect(turns).toBeGreaterThan(0)

  const bytes = Buffer.alloc(1_000_000, 'text ')
  expect(await files.decodeAttachment(bytes.toString('base64'))).toEqual({
    content: bytes.toString('base64'),
    content_type: 'text/plain; charset=utf-8',
    size: 1_000_000,
  })
  expect(await files.decodeAttachment(`${bytes.toString('base64')}!`)).toEqual({
    error: expect.stringContaining('Must be valid Base64'),
  })
})
