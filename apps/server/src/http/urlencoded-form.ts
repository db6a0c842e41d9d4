import { invalidRequest, type Parameters } from '@sales-crm/core'
import { appendValue, decodeFormValue, ENCODING_RULE, queryText, splitPairs } from './query-string.ts'
import { MAX_BODY_BYTES, type RequestBody } from './request-body.ts'

export const FORM_MEDIA_TYPE = /^application\/x-www-form-urlencoded$/i
/** More than any form of the service has, and few enough to check at once. */
const MAX_PAIRS = 1000

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a form-urlencoded body of up to `BODY_LIMIT` bytes.
 * @throws CrmError `invalid_request`; `bad_request` if the body is too large, `rate_limit_exceeded` if the
 * process has no memory left for it
 */
export async function readForm(body: RequestBody): Promise<Parameters> {
  if (!body.hasMediaType(FORM_MEDIA_TYPE))
    throw invalidRequest('Request body must be application/x-www-form-urlencoded.')
  return parseUrlEncoded(decodeUtf8(await body.read(MAX_BODY_BYTES)))
}

/** The parameters of a URL, parsed as a form. @throws CrmError `invalid_request` */
export function parseQueryParameters(url: string): Parameters {
  return parseUrlEncoded(queryText(url))
}

/**
 * Parses form-urlencoded text. A repeated parameter becomes an array. Invalid UTF-8 is rejected: a
 * replacement character would silently change the value.
 * @throws CrmError `invalid_request`
 */
function parseUrlEncoded(text: string): Parameters {
  const parameters: Record<string, string | string[]> = Object.create(null)
  if (text.split('&', MAX_PAIRS + 1).length > MAX_PAIRS)
    throw invalidRequest('The request holds too many parameters.')
  for (const { name, value } of splitPairs(text)) {
    const [key, content] = [decodeFormValue(name), decodeFormValue(value)]
    if (key === undefined || content === undefined)
      throw invalidRequest('The request is malformed.', { [key ?? name]: ENCODING_RULE })
    appendValue(parameters, key, content)
  }
  return parameters
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalidRequest('Request body must be UTF-8.')
  }
}
