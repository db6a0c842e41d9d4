import type { FileContent, FileError, Files } from '@sales-crm/core/ports'
import type { FailedFetch, FetchUrl } from '../outbound-http/fetch-public-url.ts'
import { chooseContentType, detectMediaType } from './content-type.ts'
import { decodeUpload, MAX_IMAGE_BYTES, TOO_LARGE, type UploadedFile } from './decode-upload.ts'
import { readImageDimensions } from './image-dimensions.ts'

const FETCH_TIMEOUT_MS = 10_000
const MAX_DIMENSION = 10_000
const NOT_AN_IMAGE: FileError = { error: 'Must be a PNG, JPEG, GIF, WebP or AVIF image.' }
const FETCH_FAILED: FileError = { error: 'The image could not be fetched.' }
/** Synonyms: an image declared as one of these is displayed wherever the canonical type is. */
const MEDIA_TYPE_ALIASES: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/apng', 'image/png'],
])

/** Returns the port `files`. */
export function nodeFiles(fetchUrl: FetchUrl): Files {
  return {
    async decodeImage(input) {
      const file = decodeUpload(input)
      if ('base64Error' in file)
        return { error: `Must be an https URL, a data URI or valid Base64: ${file.base64Error}.` }
      return 'error' in file ? file : validateImage(file)
    },
    async fetchImage(url) {
      const response = await fetchUrl(url, { deadlineMs: FETCH_TIMEOUT_MS, maxBytes: MAX_IMAGE_BYTES })
      if ('failure' in response) return describeFailure(response)
      return validateImage({
        bytes: response.bytes,
        content: Buffer.from(response.bytes).toString('base64'),
        declaredType: undefined,
      })
    },
    async decodeAttachment(input) {
      const file = decodeUpload(input)
      if ('base64Error' in file) return { error: `Must be valid Base64: ${file.base64Error}.` }
      if ('error' in file) return file
      const { bytes, content } = file
      if (bytes.length === 0) return { error: 'Must not be empty.' }
      return { content, content_type: await chooseContentType(bytes), size: bytes.length }
    },
  }
}

/** One message for all that is not public: different ones would let a caller probe the internal network. */
function describeFailure({ failure, reason }: FailedFetch): FileError {
  if (failure === 'too-large') return TOO_LARGE
  return reason === undefined ? FETCH_FAILED : { error: reason }
}

async function validateImage({
  bytes,
  content,
  declaredType,
}: UploadedFile): Promise<FileContent | FileError> {
  const content_type = canonicalMediaType((await detectMediaType(bytes)) ?? '')
  const dimensions = readImageDimensions(content_type, bytes)
  if (!dimensions || dimensions.width < 1 || dimensions.height < 1) return NOT_AN_IMAGE
  if (declaredType !== undefined && canonicalMediaType(declaredType) !== content_type)
    return { error: `The data URI must say ${content_type}, as the image does.` }
  if (Math.max(dimensions.width, dimensions.height) > MAX_DIMENSION)
    return { error: `Must be at most ${MAX_DIMENSION} by ${MAX_DIMENSION} pixels.` }
  return { content, content_type, size: bytes.length }
}

function canonicalMediaType(content_type: string): string {
  return MEDIA_TYPE_ALIASES.get(content_type) ?? content_type
}
