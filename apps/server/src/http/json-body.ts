import { extname } from 'node:path'
import { badRequest } from '@sales-crm/core'
import { TaskThread } from '@sales-crm/node'
import type { JSON_TASKS } from './json-thread.ts'
import { parseJson } from './parse-json.ts'
import { invalidJsonError, MAX_BODY_BYTES, type RequestBody } from './request-body.ts'

/**
 * Maximum number of JSON values in a body: more than any operation uses, and few enough to validate at once.
 */
const MAX_VALUES = 20_000
export const JSON_MEDIA_TYPE = /^application\/json$/i

/**
 * Reads a JSON object of up to `limit` bytes.
 * @throws CrmError `bad_request`, `rate_limit_exceeded`
 */
export async function readJson(
  body: RequestBody,
  limit = MAX_BODY_BYTES,
  maxValues = MAX_VALUES,
): Promise<object> {
  return assertJsonObject(await readJsonValue(body, limit, maxValues))
}

/**
 * Reads an object like `readJson`; an empty body is an empty object.
 * @throws CrmError `bad_request`, `rate_limit_exceeded`
 */
export async function readOptionalJson(body: RequestBody): Promise<object> {
  const bytes = await body.read(MAX_BODY_BYTES)
  if (bytes.length === 0) return {}
  assertJsonMediaType(body)
  return assertJsonObject(await parseBody(bytes, MAX_VALUES))
}

/**
 * Reads any JSON value, with the limits of `readJson`.
 * @throws CrmError `bad_request`, `rate_limit_exceeded`
 */
export async function readJsonValue(
  body: RequestBody,
  limit = MAX_BODY_BYTES,
  maxValues = MAX_VALUES,
): Promise<unknown> {
  assertJsonMediaType(body)
  return parseBody(await body.read(limit), maxValues)
}

/** The message is the contract's; the fields say what it means for this request. */
function assertJsonMediaType(body: RequestBody): void {
  if (body.contentEncoding !== 'identity')
    throw invalidJsonError({ 'Content-Encoding': 'Must be absent: a compressed body is not supported.' })
  if (!body.hasMediaType(JSON_MEDIA_TYPE))
    throw invalidJsonError({ 'Content-Type': 'Must be application/json, in UTF-8.' })
}

function assertJsonObject(value: unknown): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest('Request body must be a JSON object.')
  return value
}

/** A larger body is parsed in a thread: the event loop would stand still for longer than others should wait. */
const MAX_PARSED_BYTES = 128 * 1024
/** Uses the extension of this file: `.ts` in the source tree, `.js` in the build. */
const THREAD = new TaskThread<typeof JSON_TASKS>(
  new URL(`./json-thread${extname(import.meta.url)}`, import.meta.url),
)

/**
 * Empties `bytes` if there are many: they move to the thread.
 * @throws CrmError `bad_request`
 */
async function parseBody(bytes: Uint8Array<ArrayBuffer>, maxValues: number): Promise<unknown> {
  const input = { bytes, maxValues }
  const isLarge = bytes.length > MAX_PARSED_BYTES
  const parsed = isLarge ? await THREAD.run('parseJson', input, [bytes.buffer]) : parseJson(input)
  if ('value' in parsed) return parsed.value
  throw badRequest(parsed.message, parsed.fields)
}
