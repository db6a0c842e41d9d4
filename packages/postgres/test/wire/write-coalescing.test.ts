import { setImmediate as turn } from 'node:timers/promises'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { coalesceWrites } from '../../src/wire/write-coalescing.ts'

/** A client whose stream tells what it was given, each chunk by itself. */
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
 * What two callers send who are called one after another in one turn, as for two requests that came together.
 */
async function sendFromTwoCallers(schedule: (flush: () => void) => void): Promise<string[]> {
  const chunks: string[] = []
  const { client, send } = createClient(chunks)
  coalesceWrites(client, schedule)
  for (const caller of ['a', 'b']) setImmediate(() => ['1', '2'].map((nth) => send(`${caller}${nth} `)))
  await turn()
  await turn()
  return chunks
}

test('what one caller sends goes out as one chunk', async () => {
  expect(await sendFromTwoCallers(process.nextTick)).toEqual(['a1 a2 ', 'b1 b2 '])
})

test('what all callers of one turn send goes out as one chunk, where it waits for the end of the turn', async () => {
  expect(await sendFromTwoCallers(setImmediate)).toEqual(['a1 a2 b1 b2 '])
})

test('whoever waits for a chunk to be written has it written at once, after what came before', async () => {
  const chunks: string[] = []
  const { client, send } = createClient(chunks)
  coalesceWrites(client, setImmediate)
  send('first ')
  const written = new Promise<void>((resolve) => send('last', resolve))
  await written
  expect(chunks).toEqual(['first ', 'last'])
})
