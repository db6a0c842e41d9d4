import type { Crm, CrmError, Parameters, RequestOrigin, SessionToken, Visitor } from '@sales-crm/core'
import type { Ports } from '@sales-crm/core/ports'
import type { HonoRequest } from 'hono'
import { acceptsHtml } from '../../http/accept-header.ts'
import { basePathOf } from '../../http/base-path.ts'
import { STATUS } from '../../http/errors.ts'
import { type PageResponseOptions, pageResponse, redirect } from '../../http/page-response.ts'
import { type Query, readQuery } from '../../http/query-string.ts'
import type { HttpResponse } from '../../http/response.ts'
import { type Cookies, createCookies } from '../cookies.ts'
import { csrfToken } from '../csrf.ts'
import type { Html } from '../markup.ts'
import { type Link, type Notice, noticePage } from '../notice-page.ts'
import type { PageContext, Problem } from '../page-context.ts'
import { pageHeaders } from '../page-headers.ts'
import { translationsFor } from '../translations/accept-language.ts'
import type { Translations } from '../translations/translations.ts'
import { type RateLimitMessage, toFormFailure } from './form-failure.ts'

export type PagePorts = Pick<Ports, 'secrets' | 'random' | 'issuer' | 'now'>
export type PageCrm = Pick<Crm, 'accounts' | 'oauth'>

/** What a page is asked with. */
export interface PageRequest {
  readonly req: HonoRequest
  /** The caller's, as limits count it. */
  readonly address: string
}

/** A browser that asks for a page or sends a form, and the means to answer it. */
export interface Visit {
  readonly req: HonoRequest
  readonly query: Query
  readonly texts: Translations
  readonly from: RequestOrigin
  readonly cookies: Cookies
  /** The value of ours that the browser sent. */
  readonly cookie: string | undefined
  readonly visitor: Visitor | undefined
  /** Where to go when there is nothing left to do. */
  readonly home: Link
  /** What a page is made with. With the id of an authorization its forms are good for that one alone. */
  context(authorizationId?: string): PageContext
  show(status: HttpResponse['status'], html: Html, options?: PageResponseOptions): HttpResponse
  /**
   * The form once more, with what the core found wrong with it. Throws `error` again when that is not about the form.
   * @param tooMany what is said of a limit, where it is not one of tries
   */
  showFormErrors(error: unknown, render: (problem: Problem) => Html, tooMany?: RateLimitMessage): HttpResponse
  /** Where a way ends, for a reader. @throws `error` for whoever asked for no page */
  showNotice(error: CrmError, notice: Notice): HttpResponse
  /** The cookies of someone who has just signed in. Whoever was signed in before is so no longer. */
  signIn(session: SessionToken): Promise<readonly string[]>
  /** Sends the browser to a path of ours. */
  redirectTo(path: string, cookies?: readonly string[]): HttpResponse
}

/** A page that may be asked for by anyone, or a form that anyone may send: by the time it is handled it is known to be ours. */
export interface View {
  readonly method: 'GET' | 'POST'
  readonly path: string
  handle(visit: Visit, form: Parameters): Promise<HttpResponse>
}

/** A visit of someone who signed in. */
export type SignedInVisit = Visit & { readonly visitor: Visitor }

/** Sends everyone else to sign in. */
export function requireSignIn(
  handle: (visit: SignedInVisit, form: Parameters) => Promise<HttpResponse>,
): View['handle'] {
  return async (visit, form) => {
    const { visitor } = visit
    return visitor ? handle({ ...visit, visitor }, form) : visit.redirectTo('/sign-in')
  }
}

export function createVisitOpener(
  { accounts }: PageCrm,
  ports: PagePorts,
): (request: PageRequest) => Promise<Visit> {
  const cookies = createCookies(ports)
  const basePath = basePathOf(ports.issuer)

  return async ({ req, address }) => {
    const texts = translationsFor(req.header('Accept-Language'))
    const sentCookie = cookies.read(req.header('Cookie'))
    const cookie = sentCookie ?? cookies.newValue()
    const visitor = await accounts.visitor(sentCookie)
    // Not with the answer to a form: one that came from another site came without the cookie there is, which this would replace.
    const firstCookie =
      sentCookie === undefined && req.method === 'GET' ? [cookies.anonymousCookie(cookie)] : []

    const visit: Visit = {
      req,
      query: readQuery(req.url),
      texts,
      from: { address, language: texts.language },
      cookies,
      cookie: sentCookie,
      visitor,
      home: visitor
        ? { href: '/account', text: texts.links.account }
        : { href: '/sign-in', text: texts.links.signIn },
      context: (authorizationId) => ({
        texts,
        basePath,
        csrf: csrfToken(ports.secrets, cookie, authorizationId),
        user: visitor?.user,
      }),
      show: (status, html, options = {}) =>
        pageResponse(status, html, {
          ...options,
          headers: { ...pageHeaders(texts), ...options.headers },
          cookies: options.cookies ?? firstCookie,
        }),
      showFormErrors(error, render, tooMany = texts.notices.tooManyTries) {
        const { status, problem, headers, rateLimit } = toFormFailure(error, texts, tooMany)
        return visit.show(status, render(problem), { headers, rateLimit })
      },
      showNotice(error, notice) {
        if (!acceptsHtml(req.header('Accept'))) throw error
        return visit.show(STATUS[error.code], noticePage(visit.context(), notice))
      },
      async signIn(session) {
        if (visitor) await accounts.signOut(visitor)
        return [cookies.sessionCookie(session)]
      },
      redirectTo: (path, cookies = []) => redirect(`${basePath}${path}`, cookies),
    }
    return visit
  }
}
