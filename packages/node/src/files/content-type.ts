import { isUtf8 } from 'node:buffer'

/** Markup, whose scripts a browser might run. */
const MARKUP = /[/+](?:xml|html|svg)/
const CONTROL = /[^\P{Cc}\t\n\f\r]/u

/** Every signature lies within this many bytes. A longer input could make detection arbitrarily slow. */
const SNIFFED_BYTES = 65_536

/** Detects the media type by file signature; `undefined` when no known signature matches. */
export async function detectMediaType(bytes: Uint8Array): Promise<string | undefined> {
  // Loaded on first use, to keep it out of the start.
  const { fileTypeFromBuffer } = await import('file-type')
  return (await fileTypeFromBuffer(bytes.subarray(0, SNIFFED_BYTES)))?.mime
}

/** Returns a content type that is safe to serve: never one whose scripts a browser might run. */
export async function chooseContentType(bytes: Uint8Array): Promise<string> {
  const mediaType = await detectMediaType(bytes)
  if (mediaType !== undefined) return MARKUP.test(mediaType) ? 'application/octet-stream' : mediaType
  return isText(bytes) ? 'text/plain; charset=utf-8' : 'application/octet-stream'
}

function isText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !CONTROL.test(new TextDecoder().decode(bytes))
}
