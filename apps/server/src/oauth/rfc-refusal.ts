import type { CrmError } from '@sales-crm/core'
import type { HonoRequest } from 'hono'
import { type Headers, type Reply, refusal } from '../answer.ts'
import { refusedPage } from '../pages/refused.ts'
import { takesHtml } from '../takes.ts'
import { BASIC_CHALLENGE, isBasic } from './basic.ts'

type Asked = Pick<HonoRequest, 'header'>

/** What the RFCs call an error that the contract has another word for. */
const CODES: Readonly<Record<string, string>> = {
  bad_request: 'invalid_request',
  internal_error: 'server_error',
  rate_limit_exceeded: 'temporarily_unavailable',
}

function codeOf({ code, rfcCode }: CrmError): string {
  return rfcCode ?? CODES[code] ?? code
}

/** An error in the shape of RFC 6749, section 5.2. */
export function rfcRefusal(error: CrmError, request: Asked, requestId: string, code = codeOf(error)): Reply {
  const { status, headers, meter } = judged(error, request, requestId)
  return { status, headers: { ...headers, Pragma: 'no-cache' }, body: { error: code, error_description: describing(error) }, meter }
}

/** The same for whoever asks for access: a page for a browser. */
export function rfcRefusalOrPage(error: CrmError, request: Asked, requestId: string, basePath: string): Reply {
  if (!takesHtml(request.header('Accept'))) return rfcRefusal(error, request, requestId)
  const { headers = {}, ...page } = refusedPage(error, request, requestId, basePath, codeOf(error))
  return { ...page, status: judged(error, request, requestId).status, headers: unchallenged(headers) }
}

/** A 401 is for whoever tried to authenticate, which no program can; for others it becomes a 400. */
function judged(error: CrmError, request: Asked, requestId: string): Pick<Reply, 'status' | 'meter'> & { readonly headers: Headers } {
  const { status, headers = {}, meter } = refusal(error, requestId, BASIC_CHALLENGE)
  if (status !== 401 || isBasic(request.header('Authorization'))) return { status, headers, meter }
  return { status: 400, headers: unchallenged(headers), meter }
}

function unchallenged({ 'WWW-Authenticate': _, ...headers }: Headers): Headers {
  return headers
}

/** The message and what is wrong with each field, in the characters that the RFC leaves for it. */
function describing({ message, fields = {} }: CrmError): string {
  const said = [message, ...Object.entries(fields).map(([name, rule]) => `${name}: ${rule}`)].join(' ')
  return said.replaceAll('"', "'").replaceAll(/[^\x20-\x5b\x5d-\x7e]/g, '?')
}
