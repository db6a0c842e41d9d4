import type { FileContent, FileFault, Files } from '@sales-crm/core/ports'
import type { Guard } from '../guard/guard.ts'
import { contentTypeOf, signatureOf } from './content-type.ts'
import { type GivenFile, givenFile, MAX_BYTES, NO_BASE64, TOO_LARGE } from './given-file.ts'
import { pixelsOf } from './pixels.ts'

const FETCH_MS = 10_000
const MAX_PIXELS = 10_000
const NO_IMAGE: FileFault = { fault: 'Must be a PNG, JPEG, GIF, WebP or AVIF image.' }
const NOT_FETCHED: FileFault = { fault: 'The image could not be fetched.' }
/** Other names of the same type: what has one of them shows wherever the type itself does. */
const SAME: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/apng', 'image/png'],
])

/** @param openGuard called for the first address, so that a service that fetches none need not load what fetches */
export function nodeFiles(openGuard: () => Promise<Pick<Guard, 'urlFault' | 'fetch'>>): Files {
  return {
    async image(given) {
      const file = givenFile(given)
      if (file === NO_BASE64) return { fault: 'Must be an https URL, a data URI or valid Base64.' }
      return 'fault' in file ? file : image(file)
    },
    async fetchImage(url) {
      const guard = await openGuard()
      const fault = guard.urlFault(url)
      if (fault !== undefined) return { fault }
      const answer = await guard.fetch(url, { deadlineMs: FETCH_MS, maxBytes: MAX_BYTES })
      // One answer to all the rest: what differs would tell a caller who listens where.
      if ('failure' in answer) return answer.failure === 'too-large' ? TOO_LARGE : NOT_FETCHED
      return image({ bytes: answer.bytes, content: Buffer.from(answer.bytes).toString('base64'), declared: undefined })
    },
    async attachment(given) {
      const file = givenFile(given)
      if ('fault' in file) return file
      const { bytes, content } = file
      if (bytes.length === 0) return { fault: 'Must not be empty.' }
      return { content, content_type: await contentTypeOf(bytes), size: bytes.length }
    },
  }
}

async function image({ bytes, content, declared }: GivenFile): Promise<FileContent | FileFault> {
  const content_type = named((await signatureOf(bytes)) ?? '')
  const pixels = pixelsOf(content_type, bytes)
  if (!pixels || pixels.width < 1 || pixels.height < 1) return NO_IMAGE
  if (declared !== undefined && named(declared) !== content_type)
    return { fault: `The data URI must say ${content_type}, as the image does.` }
  if (Math.max(pixels.width, pixels.height) > MAX_PIXELS) return { fault: `Must be at most ${MAX_PIXELS} by ${MAX_PIXELS} pixels.` }
  return { content, content_type, size: bytes.length }
}

function named(content_type: string): string {
  return SAME.get(content_type) ?? content_type
}
