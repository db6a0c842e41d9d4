import type { CrmError } from '@sales-crm/core'
import type { HonoRequest } from 'hono'
import { type Reply, refusal } from '../answer.ts'
import { page } from '../page-reply.ts'
import { pageHeaders } from './headers.ts'
import { errorPage } from './notice.ts'
import { textsFor } from './texts/language.ts'

/** The page that stands where another could not be shown. It asks nothing of the database, for that may be what failed. */
export function refusedPage(error: CrmError, request: Pick<HonoRequest, 'header'>, requestId: string, basePath: string): Reply {
  const { status, headers, meter } = refusal(error, requestId)
  const { code, message, fields } = error
  const texts = textsFor(request.header('Accept-Language'))
  const shown = errorPage({ texts, basePath, csrf: '' }, { status, code, message, requestId, fields })
  return page(status, shown, { headers: { ...headers, ...pageHeaders(texts) }, meter })
}
