import type { CrmError } from '@sales-crm/core'
import type { Context } from 'hono'
import { acceptsHtml } from '../http/accept-header.ts'
import { STATUS } from '../http/errors.ts'
import { pageResponse } from '../http/page-response.ts'
import { type ErrorFormat, errorHeaders, errorResponse } from '../http/response.ts'
import { errorPage } from './error-page.ts'
import { failurePage } from './failure-page.ts'
import type { Html } from './markup.ts'
import type { PageContext } from './page-context.ts'
import { pageHeaders } from './page-headers.ts'
import { translationsFor } from './translations/accept-language.ts'

interface ErrorPageOptions {
  /** Error code of the protocol that the app uses. */
  readonly code?: string
  readonly status?: number
}

/**
 * Builds the error page for an app's request: for the user whom the app sent here, and for the app's
 * developers.
 */
export function errorPageResponse(
  error: CrmError,
  c: Context,
  basePath: string,
  { code = error.code, status = STATUS[error.code] }: ErrorPageOptions = {},
): Response {
  const { message, fields } = error
  const requestId = c.get('requestId')
  return renderErrorPage(error, c, basePath, status, (ctx) =>
    errorPage(ctx, { status: STATUS[error.code], code, message, requestId, fields }),
  )
}

/** Shows browsers an error page in place of one of our pages. */
export function formatFailure(basePath: string): ErrorFormat {
  return (error, c) => {
    const requestId = c.get('requestId')
    if (!acceptsHtml(c.req.header('Accept'))) return errorResponse(error, requestId)
    const status = STATUS[error.code]
    return renderErrorPage(error, c, basePath, status, (ctx) => failurePage(ctx, { status, requestId }))
  }
}

/** Does not use the database, because the database may be what failed. */
function renderErrorPage(
  error: CrmError,
  c: Context,
  basePath: string,
  status: number,
  render: (ctx: PageContext) => Html,
): Response {
  const texts = translationsFor(c.req.header('Accept-Language'))
  return pageResponse(status, render({ texts, basePath, csrf: '' }), {
    headers: { ...errorHeaders(error, status === 401 ? 'Bearer' : undefined), ...pageHeaders(texts) },
  })
}
