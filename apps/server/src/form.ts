import { invalidRequest, type Parameters } from '@sales-crm/core'
import { BODY_LIMIT, bytesOf, isOfType } from './body.ts'
import { addTo } from './query.ts'

export const FORM_TYPE = /^application\/x-www-form-urlencoded$/i
/** More than any form has, and few enough to be looked at at once. */
const MAX_PAIRS = 1000
const ENCODING = 'Must be percent-encoded UTF-8.'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The form a caller sent, held in memory only up to `BODY_LIMIT` bytes.
 * @throws CrmError `invalid_request`; `bad_request` when it is too large, `rate_limit_exceeded` when there is no room for it
 */
export async function readForm(request: Request): Promise<Parameters> {
  if (!isOfType(request, FORM_TYPE)) throw invalidRequest('Request body must be application/x-www-form-urlencoded.')
  const bytes = await bytesOf(request, BODY_LIMIT)
  return parametersOf(textOf(bytes))
}

/** The parameters of a URL, as a form's. @throws CrmError `invalid_request` */
export function queryParameters(url: string): Parameters {
  const start = url.indexOf('?')
  return start === -1 ? parametersOf('') : parametersOf(url.slice(start + 1))
}

/**
 * Form-urlencoded text taken apart. One parameter that is sent more than once is a list. What is no text at all is refused: put
 * right in silence, it would be another value than the one that was sent.
 * @throws CrmError `invalid_request`
 */
function parametersOf(text: string): Parameters {
  const parameters: Record<string, string | string[]> = Object.create(null)
  const pairs = text.split('&', MAX_PAIRS + 1)
  if (pairs.length > MAX_PAIRS) throw invalidRequest('The request holds too many parameters.')
  for (const pair of pairs.filter((each) => each !== '')) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? []
    const [key, content] = [formDecoded(name), formDecoded(value)]
    if (key === undefined || content === undefined) throw invalidRequest('The request is malformed.', { [key ?? name]: ENCODING })
    addTo(parameters, key, content)
  }
  return parameters
}

/** `undefined` for what is not percent-encoded UTF-8. */
export function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalidRequest('Request body must be UTF-8.')
  }
}
