import { type IncomingMessage, STATUS_CODES } from 'node:http'
import { badRequest, type CrmError, notFound } from '@sales-crm/core'

/** The error of Node's HTTP parser for a request it cannot parse. */
export interface ParserError extends Error {
  readonly code?: string
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

export function malformedRequestError(): CrmError {
  return badRequest('Malformed HTTP request.')
}

export function mapParserError({ code, rawPacket, bytesParsed }: ParserError): CrmError {
  if (code === 'HPE_HEADER_OVERFLOW') return badRequest('Request headers are too large.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return badRequest('Request did not arrive in time.')
  return code === 'HPE_INVALID_METHOD' && startsRequest(rawPacket?.subarray(bytesParsed))
    ? notFound('Route')
    : malformedRequestError()
}

/** An unknown method is answered like a method without a route. */
function startsRequest(bytes: Buffer | undefined): boolean {
  return /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r\n/.test(bytes?.toString('latin1', 0, 8_192) ?? '')
}

/** `uri-host [ ":" port ]` of RFC 9110, section 7.2. */
const HOST = /^(\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(:\d*)?$/i

/** A request that parses as HTTP but has no usable path: no or an invalid Host, `*`, `example.com:80`, a backslash. */
export function isMalformed({ url = '', httpVersion, headers, rawHeaders }: IncomingMessage): boolean {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return true
  if (headers.host === undefined ? httpVersion === '1.1' : !HOST.test(headers.host)) return true
  if (rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length > 1)
    return true
  const transferEncoding = headers['transfer-encoding']
  if (transferEncoding !== undefined && transferEncoding.toLowerCase() !== 'chunked') return true
  const path = url.startsWith('/') ? url : URL.canParse(url) && /^https?:\/\//.test(url) ? url : undefined
  return path === undefined || path.split('?', 1)[0]!.includes('\\')
}

/** The bytes of a complete response, for a connection without a `ServerResponse`. */
export function formatRawResponse(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): string {
  const lines = Object.entries({
    ...headers,
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  })
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n')
}
