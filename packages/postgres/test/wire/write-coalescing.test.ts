import { setImmediate as waitForTurn } from 'node:timers/promises'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { coalesceWrites } from '../../src/wire/write-coalescing.ts'

/** A client whose stream records each chunk. */
function createClient(chunks: string[]) {
  const stream = {
    write(chunk: Uint8Array, whenWritten?: () => void) {
      chunks.push(Buffer.from(chunk).toString())
      whenWritten?.()
      return true
    },
  }
  const send = (text: string, ...rest: (() => void)[]) => stream.write(Buffer.from(text), ...rest)
  return { client: { connection: { stream } } as unknown as pg.ClientBase, send }
}

/**
 * Returns the chunks that two callers send one after another in one turn of the event loop, as for two
 * concurrent requests.
 */
async function sendFromTwoCallers(schedule: (flush: () => void) => void): Promise<string[]> {
  const chunks: string[] = []
  const { client, send } = createClient(chunks)
  coalesceWrites(client, schedule)
  for (const caller of ['a', 'b']) setImmediate(() => ['1', '2'].map((nth) => send(`${caller}${nth} `)))
  await waitForTurn()
  await waitForTurn()
  return chunks
}

test('writes of one caller are sent as one chunk', async () => {
  expect(await sendFromTwoCallers(process.nextTick)).toEqual(['a1 a2 ', 'b1 b2 '])
})

test('with setImmediate, writes of all callers of a turn are sent as one chunk', async () => {
  expect(await sendFromTwoCallers(setImmediate)).toEqual(['a1 a2 b1 b2 '])
})

test('a write with a callback is sent immediately, after earlier writes', async () => {
  const chunks: string[] = []
  const { client, send } = createClient(chunks)
  coalesceWrites(client, setImmediate)
  send('first ')
  const written = new Promise<void>((resolve) => send('last', resolve))
  await written
  expect(chunks).toEqual(['first ', 'last'])
})
