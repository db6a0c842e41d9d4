import type { Crm, CrmError, From, Parameters, SignedIn, Visitor } from '@sales-crm/core'
import type { Ports } from '@sales-crm/core/ports'
import type { HonoRequest } from 'hono'
import type { Reply } from '../../answer.ts'
import { basePathOf } from '../../base-path.ts'
import { STATUS } from '../../errors.ts'
import { type PageMore, page, redirect } from '../../page-reply.ts'
import { type Query, readQuery } from '../../query.ts'
import { takesHtml } from '../../takes.ts'
import { type Cookies, createCookies } from '../cookies.ts'
import { csrfToken } from '../csrf.ts'
import { pageHeaders } from '../headers.ts'
import type { Html } from '../markup.ts'
import { type Ending, type Link, noticePage } from '../notice.ts'
import type { PageContext, Problem } from '../page.ts'
import { textsFor } from '../texts/language.ts'
import type { Texts } from '../texts/texts.ts'
import { faultOf, type TooMany } from './faults.ts'

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
  readonly texts: Texts
  readonly from: From
  readonly cookies: Cookies
  /** The value of ours that the browser sent. */
  readonly cookie: string | undefined
  readonly visitor: Visitor | undefined
  /** Where to go when there is nothing left to do. */
  readonly home: Link
  /** What a page is made with. With the id of an authorization its forms are good for that one alone. */
  context(authorizationId?: string): PageContext
  show(status: Reply['status'], html: Html, more?: PageMore): Reply
  /**
   * The form once more, with what the core found wrong with it. Throws `error` again when that is not about the form.
   * @param tooMany what is said of a limit, where it is not one of tries
   */
  again(error: unknown, draw: (problem: Problem) => Html, tooMany?: TooMany): Reply
  /** Where a way ends, for a reader. @throws `error` for whoever asked for no page */
  end(error: CrmError, ending: Ending): Reply
  /** The cookies of someone who has just signed in. Whoever was signed in before is so no longer. */
  signIn(session: SignedIn): Promise<readonly string[]>
  /** Sends the browser to a path of ours. */
  go(path: string, cookies?: readonly string[]): Reply
}

/** A page that may be asked for by anyone, or a form that anyone may send: by the time it is handled it is known to be ours. */
export interface View {
  readonly method: 'GET' | 'POST'
  readonly path: string
  handle(visit: Visit, form: Parameters): Promise<Reply>
}

/** A visit of someone who signed in. */
export type SignedInVisit = Visit & { readonly visitor: Visitor }

/** Sends everyone else to sign in. */
export function signedIn(handle: (visit: SignedInVisit, form: Parameters) => Promise<Reply>): View['handle'] {
  return async (visit, form) => {
    const { visitor } = visit
    return visitor ? handle({ ...visit, visitor }, form) : visit.go('/sign-in')
  }
}

export function receiveWith({ accounts }: PageCrm, ports: PagePorts): (request: PageRequest) => Promise<Visit> {
  const cookies = createCookies(ports)
  const basePath = basePathOf(ports.issuer)

  return async ({ req, address }) => {
    const texts = textsFor(req.header('Accept-Language'))
    const known = cookies.read(req.header('Cookie'))
    const cookie = known ?? cookies.newValue()
    const visitor = await accounts.visitor(known)
    // Not with the answer to a form: one that came from another site came without the cookie there is, which this would replace.
    const firstCookie = known === undefined && req.method === 'GET' ? [cookies.anonymous(cookie)] : []

    const visit: Visit = {
      req,
      query: readQuery(req.url),
      texts,
      from: { address, language: texts.language },
      cookies,
      cookie: known,
      visitor,
      home: visitor ? { href: '/account', text: texts.links.account } : { href: '/sign-in', text: texts.links.signIn },
      context: (authorizationId) => ({
        texts,
        basePath,
        csrf: csrfToken(ports.secrets, cookie, authorizationId),
        user: visitor?.user,
      }),
      show: (status, html, more = {}) =>
        page(status, html, {
          ...more,
          headers: { ...pageHeaders(texts), ...more.headers },
          cookies: more.cookies ?? firstCookie,
        }),
      again(error, draw, tooMany = texts.notices.tooManyTries) {
        const { status, problem, headers, meter } = faultOf(error, texts, tooMany)
        return visit.show(status, draw(problem), { headers, meter })
      },
      end(error, ending) {
        if (!takesHtml(req.header('Accept'))) throw error
        return visit.show(STATUS[error.code], noticePage(visit.context(), ending))
      },
      async signIn(session) {
        if (visitor) await accounts.signOut(visitor)
        return [cookies.signedIn(session)]
      },
      go: (path, cookies = []) => redirect(`${basePath}${path}`, cookies),
    }
    return visit
  }
}
