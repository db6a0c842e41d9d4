import type { FileFault } from '@sales-crm/core/ports'

export const MAX_IMAGE_BYTES = 2_097_152
export const TOO_LARGE: FileFault = { fault: 'Must be at most 2 MB.' }
export const INVALID_BASE64: FileFault = { fault: 'Must be valid Base64.' }
const MAX_BASE64_LENGTH = 4 * Math.ceil(MAX_IMAGE_BYTES / 3)
const BASE64_MARKER = ';base64'

export interface UploadedFile {
  readonly bytes: Uint8Array
  /** Base64 has one spelling here, so that this is what `bytes` would be written as. */
  readonly content: string
  /** The media type a data URI says, in lower case and without parameters; `undefined` for bare Base64. */
  readonly declaredType: string | undefined
}

/** Reads bare Base64, or a data URI in Base64: the standard alphabet with padding, and no white space. */
export function decodeUpload(input: string): UploadedFile | FileFault {
  const comma = input.slice(0, 5).toLowerCase() === 'data:' ? input.indexOf(',') : undefined
  if (comma === undefined) return decodeBase64(input, undefined)
  const head = input.slice(5, Math.max(comma, 5)).toLowerCase()
  if (!head.endsWith(BASE64_MARKER)) return { fault: 'A data URI must be in Base64.' }
  return decodeBase64(input.slice(comma + 1), head.split(';', 1)[0])
}

function decodeBase64(content: string, declaredType: string | undefined): UploadedFile | FileFault {
  if (content.length > MAX_BASE64_LENGTH) return TOO_LARGE
  const bytes = Buffer.from(content, 'base64')
  // Node reads what it can of any text: only what it writes the same way is Base64.
  if (bytes.toString('base64') !== content) return INVALID_BASE64
  return bytes.length > MAX_IMAGE_BYTES ? TOO_LARGE : { bytes, content, declaredType }
}
