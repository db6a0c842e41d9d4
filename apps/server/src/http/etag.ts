import { hash } from 'node:crypto'
import { type Versioned, validationError, type WriteConditions } from '@sales-crm/core'
import type { Context } from 'hono'
import type { AppEnv } from './app-env.ts'
import { commonHeaders, respond } from './response.ts'

const HASH_LENGTH = 16
/** A list of entity tags (RFC 9110, section 8.8.3), weak ones among them. */
const ETAG_LIST = /^\s*(?:W\/)?"[\x21\x23-\x7e]*"(?:\s*,\s*(?:W\/)?"[\x21\x23-\x7e]*")*\s*$/

/**
 * Responds with a record and its entity tag: the version of the record, which `If-Match` compares, and a hash of all that
 * is shown, which `If-None-Match` compares too.
 */
export function respondVersioned(c: Context<AppEnv>, { data, version }: Versioned<object>): Response {
  const body = JSON.stringify({ data })
  const ETag = `"${version}-${hash('sha256', body).slice(0, HASH_LENGTH)}"`
  const known = c.req.header('If-None-Match')
  if (known === undefined || !readTags(known).includes(ETag)) return respond(c, body, 200, { ETag })
  c.set('isComplete', true)
  const headers = {
    ...c.get('defaultHeaders'),
    ...commonHeaders(c.get('requestId'), c.get('rateLimit')),
    ETag,
  }
  return new Response(null, { status: 304, headers })
}

const RULE = 'Must be * or ETags from responses, in quotes and separated by commas.'

/** Reads `If-Match`. A weak tag matches nothing. @throws CrmError `validation_error` */
export function readConditions(c: Context<AppEnv>): WriteConditions {
  const header = c.req.header('If-Match')
  if (header === undefined || header.trim() === '*') return {}
  if (!ETAG_LIST.test(header)) throw validationError({ 'If-Match': RULE })
  return { versions: readTags(header).map((tag) => /^"([^-"]*)-/.exec(tag)?.[1] ?? '') }
}

function readTags(header: string): readonly string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? []
}
