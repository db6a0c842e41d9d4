type Bytes = Uint8Array<ArrayBuffer>

/**
 * Reads a whole body. Stops reading once it exceeds `maxBytes`.
 * @returns `'aborted'` if the stream failed, usually because the sender closed the connection
 */
export async function readBody(
  stream: ReadableStream<Bytes> | null,
  maxBytes: number,
): Promise<Bytes | 'too_large' | 'aborted'> {
  if (stream === null) return new Uint8Array()
  const reader = stream.getReader()
  const chunks: Bytes[] = []
  let size = 0
  try {
    for (let result = await reader.read(); !result.done; result = await reader.read()) {
      size += result.value.length
      if (size > maxBytes) {
        await reader.cancel()
        return 'too_large'
      }
      chunks.push(result.value)
    }
  } catch {
    return 'aborted'
  }
  return concatenate(chunks, size)
}

function concatenate(chunks: readonly Bytes[], size: number): Bytes {
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}
