import type { CrmError } from '@sales-crm/core'
import type { HonoRequest } from 'hono'
import { acceptsHtml } from '../http/accept-header.ts'
import { pageResponse } from '../http/page-response.ts'
import { errorResponse, type HttpResponse } from '../http/response.ts'
import { errorPage } from './error-page.ts'
import { failurePage } from './failure-page.ts'
import type { Html } from './markup.ts'
import type { PageContext } from './page-context.ts'
import { pageHeaders } from './page-headers.ts'
import { translationsFor } from './translations/accept-language.ts'

type RequestHeaders = Pick<HonoRequest, 'header'>

/**
 * Builds the error page for an app's request: for the user whom the app sent here, and for the app's
 * developers.
 * @param code error code of the protocol that the app uses
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

/** Builds the error page in place of one of our pages; `undefined` if the client does not accept HTML. */
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

/** Does not use the database, because the database may be what failed. */
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
