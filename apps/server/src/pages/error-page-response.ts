import type { CrmError } from '@sales-crm/core'
import type { HonoRequest } from 'hono'
import { acceptsHtml } from '../http/accept-header.ts'
import { pageResponse } from '../http/page-response.ts'
import { errorResponse, type HttpResponse } from '../http/response.ts'
import type { Html } from './markup.ts'
import { errorPage, failurePage } from './notice-page.ts'
import type { PageContext } from './page-context.ts'
import { pageHeaders } from './page-headers.ts'
import { translationsFor } from './translations/accept-language.ts'

type RequestHeaders = Pick<HonoRequest, 'header'>

/**
 * What tells a browser, and the makers of the app that sent it, what was wrong with what the app asked for.
 * @param code as the app knows it
 */
export function errorPageResponse(
  error: CrmError,
  request: RequestHeaders,
  requestId: string,
  basePath: string,
  code: string = error.code,
): HttpResponse {
  const { message, fields } = error
  return renderErrorPage(error, request, requestId, basePath, (ctx, status) =>
    errorPage(ctx, { status, code, message, requestId, fields }),
  )
}

/** What stands where a page of ours could not be shown; `undefined` for whoever asked for no page. */
export function failurePageResponse(
  error: CrmError,
  request: RequestHeaders,
  requestId: string,
  basePath: string,
): HttpResponse | undefined {
  if (!acceptsHtml(request.header('Accept'))) return undefined
  return renderErrorPage(error, request, requestId, basePath, (ctx, status) =>
    failurePage(ctx, { status, requestId }),
  )
}

/** It asks nothing of the database, for that may be what failed. */
function renderErrorPage(
  error: CrmError,
  request: RequestHeaders,
  requestId: string,
  basePath: string,
  render: (ctx: PageContext, status: HttpResponse['status']) => Html,
): HttpResponse {
  const { status, headers, rateLimit } = errorResponse(error, requestId)
  const texts = translationsFor(request.header('Accept-Language'))
  return pageResponse(status, render({ texts, basePath, csrf: '' }, status), {
    headers: { ...headers, ...pageHeaders(texts) },
    rateLimit,
  })
}
