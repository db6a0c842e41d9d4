import { isDeepStrictEqual } from 'node:util'
import { type Body, fetchResponse, omitFields } from '../compare.ts'
import type { RequestSpec } from '../load.ts'
import { TOKEN } from './directus.ts'
import type { PeerRow } from './rows.ts'

/**
 * Fields of the service without an equivalent in Directus: a formatted amount, the page's position, and
 * custom fields, of which there are none.
 */
const SERVICE_ONLY_FIELDS = ['formatted_amount', 'custom_fields', 'page', 'per_page', 'has_more']

/**
 * Checks that Directus and the service return the same data.
 * @throws Error with both responses
 */
export async function compareWithDirectus(
  { row, translate }: PeerRow,
  ask: RequestSpec,
  token: string,
  ports: readonly [number, number],
) {
  const [serviceResponse, directusResponse] = await Promise.all([
    fetchResponse(ports[0], ask, token),
    fetchResponse(ports[1], translate(ask), TOKEN),
  ])
  const isSame = isDeepStrictEqual(
    dropServiceFields(serviceResponse.body, row.ignoredFields),
    renameMeta(omitFields(directusResponse.body, row.ignoredFields)),
  )
  if (isSame && serviceResponse.status === row.status && directusResponse.status === 200) return
  throw new Error(
    `${row.title} is answered differently.\nservice: ${JSON.stringify(serviceResponse)}\nDirectus: ${JSON.stringify(directusResponse)}`,
  )
}

function dropServiceFields(body: Body, ignoredFields: readonly string[]): unknown {
  return JSON.parse(
    JSON.stringify(omitFields(body, ignoredFields), (name, value) =>
      SERVICE_ONLY_FIELDS.includes(name) ? undefined : value,
    ),
  )
}

function renameMeta(body: Body & { readonly meta?: { readonly filter_count: number } }): unknown {
  return body.meta ? { ...body, meta: { total: body.meta.filter_count } } : body
}
