import { badRequest, CrmError } from '@sales-crm/core'

export const BODY_LIMIT = 1_048_576
const MAX_DEPTH = 64
/** Of a body's values: more than any operation can take, and few enough to be looked at at once. */
const MAX_VALUES = 200_000
export const JSON_TYPE = /^application\/(?:[a-z0-9!#$&^_.+-]+\+)?json$/i

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
export async function readJson(request: Request, limit = BODY_LIMIT, mostValues = MAX_VALUES): Promise<object> {
  const value = await readJsonValue(request, limit, mostValues)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badRequest('Request body must be a JSON object.')
  return value
}

/** As `readJson`, for where it need not be an object. @throws CrmError `bad_request` */
export async function readJsonValue(request: Request, limit = BODY_LIMIT, mostValues = MAX_VALUES): Promise<unknown> {
  if (!isOfType(request, JSON_TYPE)) throw notJson()
  const bytes = await bytesOf(request, limit)
  if (holdsMore(bytes, mostValues)) throw badRequest('Request body holds too many values.')
  const value = parsed(bytes)
  if (isDeeper(value, MAX_DEPTH)) throw badRequest('Request body is nested too deeply.')
  return value
}

function notJson(): CrmError {
  return badRequest('Request body must be valid JSON.')
}

/** A media type left out is forgiven; a character set other than UTF-8 is not. */
export function isOfType(request: Request, type: RegExp): boolean {
  const [mediaType = '', ...parameters] = (request.headers.get('content-type') ?? '').split(';').map((part) => part.trim())
  const charsets = parameters.map((each) => /^charset\s*=\s*"?([^"]*)"?$/i.exec(each)?.[1]).filter((each) => each !== undefined)
  return (mediaType === '' || type.test(mediaType)) && charsets.every((charset) => /^utf-?8$/i.test(charset))
}

/** What was sent, held in memory only up to `limit` bytes. @throws CrmError `bad_request` */
export async function bytesOf(request: Request, limit: number): Promise<Uint8Array> {
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

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
/** Commas and what opens a list or an object: each begins a value. */
const BEGINNINGS = new Set([0x2c, 0x5b, 0x7b])

/** Counts by the marks of the text alone: to parse what is to be refused would be the harm itself. */
function holdsMore(bytes: Uint8Array, most: number): boolean {
  let values = 1
  for (let at = 0; at < bytes.length && values <= most; at += 1) {
    const byte = bytes[at]!
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (BEGINNINGS.has(byte)) values += 1
  }
  return values > most
}

/** Where the string that begins at `start` ends: at the first quote that is not escaped. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start + 1); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let slashes = 0
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes += 1
    if (slashes % 2 === 0) return at
  }
  return bytes.length
}
