import { type FileError, type Files, MAX_FILE_BYTES } from '@sales-crm/core/ports'
import type { FailedFetch, FetchUrl } from '../outbound-http/fetch-public-url.ts'
import { decodeInThread } from '../threads/content-tasks.ts'
import { decodeLogo, validateImage } from './decode-files.ts'
import { TOO_LARGE } from './decode-upload.ts'

const FETCH_TIMEOUT_MS = 10_000
const FETCH_FAILED: FileError = { error: 'The image could not be fetched.' }

/** Returns the port `files`. */
export function nodeFiles(fetchUrl: FetchUrl): Files {
  return {
    decodeImage: (encoded) => decodeInThread('decodeImage', encoded),
    decodeLogo,
    decodeAttachment: (encoded) => decodeInThread('decodeAttachment', encoded),
    async fetchImage(url) {
      const response = await fetchUrl(url, { deadlineMs: FETCH_TIMEOUT_MS, maxBytes: MAX_FILE_BYTES })
      if ('failure' in response) return describeFailure(response)
      return validateImage({
        bytes: response.bytes,
        content: Buffer.from(response.bytes).toString('base64'),
        declaredType: undefined,
      })
    },
  }
}

/** One message for all that is not public: different ones would let a caller probe the internal network. */
function describeFailure({ failure, reason }: FailedFetch): FileError {
  if (failure === 'too-large') return TOO_LARGE
  return reason === undefined ? FETCH_FAILED : { error: reason }
}
