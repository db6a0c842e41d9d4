import type { CrmError } from '@sales-crm/core'
import type { HonoRequest } from 'hono'
import { type Reply, refusal } from '../answer.ts'
import { page } from '../page-reply.ts'
import { takesHtml } from '../takes.ts'
import { pageHeaders } from './headers.ts'
import type { Html } from './markup.ts'
import { errorPage, failurePage } from './notice.ts'
import type { PageContext } from './page.ts'
import { textsFor } from './texts/language.ts'

type Asked = Pick<HonoRequest, 'header'>

/**
 * What tells a browser, and the makers of the app that sent it, what was wrong with what the app asked for.
 * @param code as the app knows it
 */
export function refusedPage(error: CrmError, request: Asked, requestId: string, basePath: string, code: string = error.code): Reply {
  const { message, fields } = error
  return drawn(error, request, requestId, basePath, (ctx, status) => errorPage(ctx, { status, code, message, requestId, fields }))
}

/** What stands where a page of ours could not be shown; `undefined` for whoever asked for no page. */
export function failedPage(error: CrmError, request: Asked, requestId: string, basePath: string): Reply | undefined {
  if (!takesHtml(request.header('Accept'))) return undefined
  return drawn(error, request, requestId, basePath, (ctx, status) => failurePage(ctx, { status, requestId }))
}

/** It asks nothing of the database, for that may be what failed. */
function drawn(
  error: CrmError,
  request: Asked,
  requestId: string,
  basePath: string,
  draw: (ctx: PageContext, status: Reply['status']) => Html,
): Reply {
  const { status, headers, meter } = refusal(error, requestId)
  const texts = textsFor(request.header('Accept-Language'))
  return page(status, draw({ texts, basePath, csrf: '' }, status), { headers: { ...headers, ...pageHeaders(texts) }, meter })
}
