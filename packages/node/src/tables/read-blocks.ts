import { setImmediate } from 'node:timers/promises'
import type { CancelSignal } from '@sales-crm/core/ports'

export const BLOCK_BYTES = 32_768

/**
 * Cuts a stream into blocks of `BLOCK_BYTES`; the last one may be shorter. What is read does not depend on the
 * chunks then. Other work of the event loop gets a turn before each block. An abort takes effect with the next
 * chunk or block: it does not end the wait for a chunk.
 * @throws the reason of the signal
 */
export async function* readBlocks(
  chunks: AsyncIterable<Uint8Array>,
  signal: CancelSignal | undefined,
): AsyncGenerator<Buffer> {
  let block = Buffer.allocUnsafe(BLOCK_BYTES)
  let length = 0
  signal?.throwIfAborted()
  for await (const chunk of chunks) {
    signal?.throwIfAborted()
    for (let start = 0; start < chunk.length; ) {
      const part = chunk.subarray(start, start + BLOCK_BYTES - length)
      block.set(part, length)
      start += part.length
      length += part.length
      if (length < BLOCK_BYTES) continue
      await setImmediate()
      signal?.throwIfAborted()
      yield block
      block = Buffer.allocUnsafe(BLOCK_BYTES)
      length = 0
    }
  }
  if (length > 0) yield block.subarray(0, length)
}
