import { badRequest, CrmError } from '@sales-crm/core'

export const BODY_LIMIT = 1_048_576
const MAX_DEPTH = 64
const MEDIA_TYPE = /^application\/(?:[a-z0-9!#$&^_.+-]+\+)?json$/i

/** The rest of the body is still on its way, so the connection cannot be used again. */
export class BodyTooLarge extends CrmError {
  constructor() {
    super('bad_request', 'Request body is too large.')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The JSON object a caller sent, held in memory only up to `limit` bytes.
 * @throws CrmError `bad_request`
 */
export async function readJson(request: Request, limit = BODY_LIMIT): Promise<object> {
  if (!isJson(request.headers.get('content-type') ?? '')) throw notJson()
  const value = parsed(await bytesOf(request, limit))
  if (isDeeper(value, MAX_DEPTH)) throw badRequest('Request body is nested too deeply.')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badRequest('Request body must be a JSON object.')
  return value
}

function notJson(): CrmError {
  return badRequest('Request body must be valid JSON.')
}

/** A media type left out is forgiven; a character set other than UTF-8 is not. */
function isJson(contentType: string): boolean {
  const [mediaType = '', ...parameters] = contentType.split(';').map((part) => part.trim())
  const charsets = parameters.map((each) => /^charset\s*=\s*"?([^"]*)"?$/i.exec(each)?.[1]).filter((each) => each !== undefined)
  return (mediaType === '' || MEDIA_TYPE.test(mediaType)) && charsets.every((charset) => /^utf-?8$/i.test(charset))
}

async function bytesOf(request: Request, limit: number): Promise<Uint8Array> {
  const declared = request.headers.get('content-length')
  if (declared !== null && Number(declared) > limit) throw new BodyTooLarge()
  // HTTP holds a sender to the length it declared, so this is bounded too.
  if (declared !== null) return new Uint8Array(await request.arrayBuffer().catch(interrupted))
  return request.body ? collected(request.body.getReader(), limit) : new Uint8Array()
}

async function collected(reader: ReadableStreamDefaultReader<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read().catch(interrupted)
    if (done) return Buffer.concat(chunks)
    size += value.byteLength
    if (size > limit) throw new BodyTooLarge()
    chunks.push(value)
  }
}

/** The caller broke off, or what it sent is no HTTP. Nobody reads the answer. */
function interrupted(): never {
  throw notJson()
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw notJson()
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const each of Object.values(value)) if (isDeeper(each, levels - 1)) return true
  return false
}
