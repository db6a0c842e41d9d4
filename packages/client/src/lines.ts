import { rejectOnAbort } from './runtime.ts'
import { startTimeout } from './timeout.ts'

/** True for a response whose body has a record in each line. */
export function hasLines({ ok, headers }: Response): boolean {
  return ok && headers.get('Content-Type')?.split(';')[0] === 'application/x-ndjson'
}

/**
 * Returns the lines of a body, without the empty last one. A caller that stops ends the response.
 * @throws the reason of the signal, a `TimeoutError`, or the error of the connection
 */
export async function* readLines(
  { body }: Response,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void, undefined> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const part = reader && (await readPart(reader, timeoutMs, signal))
      if (!part || part.done) return
      const lines = (rest + decoder.decode(part.value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } finally {
    void reader?.cancel().catch(() => {})
  }
}

async function readPart(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
) {
  const timeout = startTimeout(timeoutMs, signal)
  try {
    return await rejectOnAbort(reader.read(), timeout.signal)
  } finally {
    timeout.stop()
  }
}
