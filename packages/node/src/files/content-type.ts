import { isUtf8 } from 'node:buffer'

/** Markup, which a browser might run. */
const MARKUP = /[/+](?:xml|html|svg)/
const CONTROL = /[^\P{Cc}\t\n\f\r]/u

/** Every signature is within so many bytes; what looks further can be made to look for long. */
const SNIFFED_BYTES = 65_536

/** What bytes are, by their signature; `undefined` when they have none that is known. */
export async function detectMediaType(bytes: Uint8Array): Promise<string | undefined> {
  // Loaded when needed, so that no start waits for it.
  const { fileTypeFromBuffer } = await import('file-type')
  return (await fileTypeFromBuffer(bytes.subarray(0, SNIFFED_BYTES)))?.mime
}

/** What bytes may be served as: never as something that a browser might run. */
export async function chooseContentType(bytes: Uint8Array): Promise<string> {
  const mediaType = await detectMediaType(bytes)
  if (mediaType !== undefined) return MARKUP.test(mediaType) ? 'application/octet-stream' : mediaType
  return isText(bytes) ? 'text/plain; charset=utf-8' : 'application/octet-stream'
}

function isText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !CONTROL.test(new TextDecoder().decode(bytes))
}
