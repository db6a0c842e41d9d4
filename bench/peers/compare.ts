import { isDeepStrictEqual } from 'node:util'
import { answerTo, type Body, withoutUnlike } from '../compare.ts'
import type { Ask } from '../load.ts'
import { TOKEN } from './directus.ts'
import type { PeerRow } from './rows.ts'

/** What of our answers Directus has no word for: a sum in words, a page's own numbers, and custom fields, of which there are none. */
const OURS_ALONE = ['formatted_amount', 'custom_fields', 'page', 'per_page', 'has_more']

/** Makes sure that Directus tells as much as the service, and the service as much as Directus. @throws Error with both answers */
export async function compareWithDirectus(
  { row, translate }: PeerRow,
  ask: Ask,
  token: string,
  ports: readonly [number, number],
) {
  const [ours, theirs] = await Promise.all([
    answerTo(ports[0], ask, token),
    answerTo(ports[1], translate(ask), TOKEN),
  ])
  const same = isDeepStrictEqual(
    commonOf(ours.body, row.unlike),
    renamed(withoutUnlike(theirs.body, row.unlike)),
  )
  if (same && ours.status === row.status && theirs.status === 200) return
  throw new Error(
    `${row.title} is answered differently.\nservice: ${JSON.stringify(ours)}\nDirectus: ${JSON.stringify(theirs)}`,
  )
}

function commonOf(body: Body, unlike: readonly string[]): unknown {
  return JSON.parse(
    JSON.stringify(withoutUnlike(body, unlike), (name, value) =>
      OURS_ALONE.includes(name) ? undefined : value,
    ),
  )
}

function renamed(body: Body & { readonly meta?: { readonly filter_count: number } }): unknown {
  return body.meta ? { ...body, meta: { total: body.meta.filter_count } } : body
}
