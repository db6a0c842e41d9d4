import type { Crm, CrmError, Parameters, RequestOrigin, SessionToken, UserSession } from '@sales-crm/core'
import type { Ports } from '@sales-crm/core/ports'
import type { Context, HonoRequest } from 'hono'
import { acceptsHtml } from '../../http/accept-header.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { basePathOf } from '../../http/base-path.ts'
import { STATUS } from '../../http/errors.ts'
import { isLocalRequest, isLoopback } from '../../http/local-request.ts'
import { pathWithinService } from '../../http/mount-path.ts'
import { type PageResponseOptions, pageResponse, redirect } from '../../http/page-response.ts'
import { type Query, readQuery } from '../../http/query-string.ts'
import { type Cookies, createCookies } from '../cookies.ts'
import { csrfToken } from '../csrf.ts'
import type { Html } from '../markup.ts'
import { type Link, type Message, messagePage } from '../message-page.ts'
import type { FormErrors, PageContext } from '../page-context.ts'
import { pageHeaders } from '../page-headers.ts'
import { translationsFor } from '../translations/accept-language.ts'
import type { Translations } from '../translations/translations.ts'
import { type RateLimitMessage, toFormFailure } from './form-failure.ts'
import { pageValue } from './form-values.ts'

export type PagePorts = Pick<Ports, 'secrets' | 'random' | 'issuer' | 'now'>
export type PageCrm = Pick<Crm, 'accounts' | 'oauth' | 'setup'>

/** The request of a browser, with the functions that build responses to it. */
export interface Visit {
  readonly req: HonoRequest
  /** The path within the service. */
  readonly path: string
  readonly query: Query
  readonly texts: Translations
  readonly from: RequestOrigin
  /** True for a request from this machine to a service that is only for it. */
  readonly isLocal: boolean
  readonly cookies: Cookies
  /** Valid cookie value that the browser sent. */
  readonly cookie: string | undefined
  readonly userSession: UserSession | undefined
  /** The page that a sign-in leads to. */
  readonly startPath: string
  /** Link for a page without a next step. */
  readonly home: Link
  /** Returns the data for a page. With an authorization id, forms on the page are valid for it only. */
  context(authorizationId?: string): PageContext
  show(status: number, html: Html, options?: PageResponseOptions): Response
  /**
   * Renders the form again, with the errors that the core found.
   * @param tooMany message about a rate limit, if not the one about attempts
   * @throws `error` if it is not about the form
   */
  showFormErrors(
    error: unknown,
    render: (formErrors: FormErrors) => Html,
    tooMany?: RateLimitMessage,
  ): Response
  /** Shows the last page of a flow. @throws `error` if the client does not accept HTML */
  showMessage(error: CrmError, message: Message): Response
  /** Ends the current session, if any, and returns the cookies of the new one. */
  signIn(session: SessionToken): Promise<readonly string[]>
  /** @param path path of the service, without the base path */
  redirectTo(path: string, cookies?: readonly string[]): Response
}

/** A page or form. The CSRF token of a form is verified before `handle` is called. */
export interface View {
  readonly method: 'GET' | 'POST'
  readonly path: string
  handle(visit: Visit, form: Parameters): Promise<Response>
}

export type SignedInVisit = Visit & { readonly userSession: UserSession }

/** Redirects users without a session to the sign-in page, which leads back. */
export function requireSignIn(
  handle: (visit: SignedInVisit, form: Parameters) => Promise<Response>,
): View['handle'] {
  return async (visit, form) => {
    const { userSession } = visit
    if (userSession) return handle({ ...visit, userSession }, form)
    const page = visit.req.method === 'GET' ? pageValue({ page: visit.path }) : undefined
    return visit.redirectTo(page === undefined ? '/sign-in' : `/sign-in?page=${page}`)
  }
}

export function createVisitOpener(
  { accounts }: PageCrm,
  ports: PagePorts,
  startPath: string,
): (c: Context<AppEnv>) => Promise<Visit> {
  const cookies = createCookies(ports)
  const basePath = basePathOf(ports.issuer)

  return async (c) => {
    const { req } = c
    const texts = translationsFor(req.header('Accept-Language'))
    const sentCookie = cookies.read(req.header('Cookie'))
    const cookie = sentCookie ?? cookies.newValue()
    const userSession = await accounts.userSession(sentCookie)
    // Set on GET only: a form from another site comes without the browser's cookie, which a new one would
    // replace.
    const firstCookie =
      sentCookie === undefined && req.method === 'GET' ? [cookies.anonymousCookie(cookie)] : []

    const context: Visit['context'] = (authorizationId) => ({
      texts,
      basePath,
      origin: new URL(ports.issuer).origin,
      startPath,
      csrf: csrfToken(ports.secrets, cookie, authorizationId),
      user: userSession?.user,
    })

    return {
      req,
      path: pathWithinService(c),
      query: readQuery(req.url),
      texts,
      from: { address: c.get('address')(), language: texts.language },
      isLocal: isLoopback(ports.issuer) && isLocalRequest(c),
      cookies,
      cookie: sentCookie,
      userSession,
      startPath,
      home: userSession ? startLink(startPath, texts) : { href: '/sign-in', text: texts.links.signIn },
      context,
      ...createVisitResponses(c, texts, context, firstCookie),
      async signIn(session) {
        if (userSession) await accounts.signOut(userSession)
        return [cookies.sessionCookie(session)]
      },
      redirectTo: (path, cookies = []) => redirect(`${basePath}${path}`, cookies),
    }
  }
}

/** The page that a sign-in leads to: the console, or without one the account page. */
export function startLink(startPath: string, { links }: Translations): Link {
  return { href: startPath, text: startPath === '/' ? links.console : links.account }
}

/** @param defaultCookies set by responses that set no others */
function createVisitResponses(
  c: Context<AppEnv>,
  texts: Translations,
  context: Visit['context'],
  defaultCookies: readonly string[],
): Pick<Visit, 'show' | 'showFormErrors' | 'showMessage'> {
  const show: Visit['show'] = (status, html, options = {}) =>
    pageResponse(status, html, {
      ...options,
      headers: { ...pageHeaders(texts), ...options.headers },
      cookies: options.cookies ?? defaultCookies,
    })
  return {
    show,
    showFormErrors(error, render, tooMany = texts.messages.tooManyTries) {
      const { status, formErrors, headers, rateLimit } = toFormFailure(error, texts, tooMany)
      if (rateLimit) c.set('rateLimit', rateLimit)
      return show(status, render(formErrors), { headers })
    },
    showMessage(error, message) {
      if (!acceptsHtml(c.req.header('Accept'))) throw error
      return show(STATUS[error.code], messagePage(context(), message))
    },
  }
}
