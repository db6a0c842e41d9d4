import { rejectOnAbort } from './runtime.ts'
import { startTimeout } from './timeout.ts'

/** Reads a body while it is received. `timeoutMs` is that of each part. */
export type ReadBody<T> = (
  response: Response,
  timeoutMs: number,
  signal: AbortSignal | undefined,
) => AsyncGenerator<T, void, undefined>

/** True for a success with that type of content. */
export function hasType({ ok, headers }: Response, type: string): boolean {
  return ok && headers.get('Content-Type')?.split(';')[0] === type
}

/** Returns the JSON of each line of a body, without an incomplete last one. */
export const readLines: ReadBody<unknown> = async function* (...body) {
  let rest = ''
  for await (const text of readText(...body)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
}

/**
 * Returns the text of a body in parts, with its byte order mark. A caller that stops ends the response.
 * @throws the reason of the signal, a `TimeoutError`, or the error of the connection
 */
export const readText: ReadBody<string> = async function* ({ body }, timeoutMs, signal) {
  const reader = body?.getReader()
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  try {
    for (;;) {
      const part = reader && (await readPart(reader, timeoutMs, signal))
      if (!part || part.done) return
      yield decoder.decode(part.value, { stream: true })
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
