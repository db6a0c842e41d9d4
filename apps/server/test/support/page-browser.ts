import { encodeForm, type Fields } from './oauth-requests.ts'
import type { Service, Workspace } from './test-service.ts'

export const PASSWORD = 'correct horse battery'

type Values = Readonly<Record<string, string>>

export interface PageResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The redirect target. */
  readonly location: string | null
  readonly cookies: readonly string[]
}

export type Browser = ReturnType<typeof openBrowser>

/**
 * Creates a browser that stores cookies and submits forms with their hidden fields. It does not follow
 * redirects.
 */
export function openBrowser({ app }: Pick<Service, 'app'>, defaultHeaders: Values = {}) {
  const jar = new Map<string, string>()

  async function send(method: string, path: string, headers: Values, body?: string): Promise<PageResponse> {
    const Cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await app.request(path, {
      method,
      headers: { Accept: 'text/html', ...defaultHeaders, ...(jar.size > 0 && { Cookie }), ...headers },
      ...(body !== undefined && { body }),
    })
    const cookies = response.headers.getSetCookie()
    for (const cookie of cookies) storeCookie(jar, cookie)
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: response.headers.get('Location'),
      cookies,
    }
  }

  const browser = {
    jar,
    get: (path: string, headers: Values = {}) => send('GET', path, headers),
    head: (path: string, headers: Values = {}) => send('HEAD', path, headers),
    post: (path: string, fields: Fields, headers: Values = {}) =>
      send(
        'POST',
        path,
        { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
        encodeForm(fields),
      ),
    /** Submits the page's form with this `action`, its hidden fields and `fields`. */
    submit: (page: PageResponse, action: string, fields: Values = {}, headers: Values = {}) =>
      browser.post(action, { ...hiddenFieldsOf(page, action), ...fields }, headers),
    async signIn(email: string, password = PASSWORD, request?: string) {
      const path = request === undefined ? '/sign-in' : `/sign-in?request=${request}`
      return browser.submit(await browser.get(path), '/sign-in', { email, password })
    },
  }
  return browser
}

function storeCookie(jar: Map<string, string>, cookie: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
  if (/; Max-Age=0(;|$)/i.test(cookie)) jar.delete(name)
  else jar.set(name, value)
}

/** Returns the hidden fields of the form with this `action`. */
export function hiddenFieldsOf({ status, text }: PageResponse, action: string): Record<string, string> {
  for (const [, attributes = '', content = ''] of text.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)) {
    if (!attributes.includes(`action="${action}"`)) continue
    return Object.fromEntries(
      [...content.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    )
  }
  throw new Error(`No form with the action ${action} on this page (${status}): ${text}`)
}

/** Adds a member with a password. */
export async function addMemberWithPassword(
  { crm }: Service,
  acme: Pick<Workspace, 'slug'>,
  local = 'ana',
  role: 'owner' | 'admin' | 'member' = 'member',
) {
  const email = `${local}@${acme.slug}.example`
  return crm.operator.addMember({
    workspace: acme.slug,
    name: `${local} example`,
    email,
    role,
    password: PASSWORD,
  })
}

/** Sends the queued mail and returns the paths of its links, newest last. */
export async function sendMailAndListLinks({ crm }: Service): Promise<readonly string[]> {
  const links: string[] = []
  await crm.mail.send(async (mail) => {
    if ('link' in mail) links.push(new URL(mail.link).pathname)
  })
  return links
}

/** Signs a member with a password in to the console. */
export async function signInToConsole({ crm }: Service, email: string): Promise<string> {
  const session = await crm.accounts.signIn(
    { email, password: PASSWORD },
    { address: '203.0.113.7', language: 'en' },
  )
  const userSession = session && (await crm.accounts.userSession(session.token))
  const token = userSession && (await crm.accounts.createSessionToken(userSession))
  if (!token) throw new Error(`${email} cannot sign in.`)
  return token.access_token
}
