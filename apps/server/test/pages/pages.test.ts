import { readdirSync, readFileSync } from 'node:fs'
import { type ConnectedApp, type Consent, SCOPES, type WorkspaceMembers } from '@sales-crm/core'
import { describe, expect, test } from 'vitest'
import { accountPage } from '../../src/pages/account-page.ts'
import { ICON, STYLESHEET } from '../../src/pages/assets.ts'
import { consentPage } from '../../src/pages/consent-page.ts'
import { credentialsPage, secretPage } from '../../src/pages/credentials-page.ts'
import { errorPage } from '../../src/pages/error-page.ts'
import { failurePage } from '../../src/pages/failure-page.ts'
import { invitationPage } from '../../src/pages/invitation-page.ts'
import { html } from '../../src/pages/markup.ts'
import { membersPage } from '../../src/pages/members-page.ts'
import { messagePage } from '../../src/pages/message-page.ts'
import type { PageContext } from '../../src/pages/page-context.ts'
import { changePasswordPage, forgotPasswordPage, resetPasswordPage } from '../../src/pages/password-pages.ts'
import { countryPage, setupPage } from '../../src/pages/setup/setup-page.ts'
import { signInPage } from '../../src/pages/sign-in-page.ts'
import { en } from '../../src/pages/translations/en.ts'
import { ptBr } from '../../src/pages/translations/pt-br.ts'
import { type Element, elementsOf } from '../support/strict-html.ts'

const HOSTILE = `<b>x"'&</style></title><script>\u202Egnp`
const AT = '2026-11-03T14:07:00.000Z'

const context: PageContext = {
  texts: en,
  basePath: '/crm',
  csrf: 'c5f',
  user: { name: 'Olga Prado', email: 'olga@acme.example' },
}
const acme = { id: 'w1', name: 'Acme', slug: 'acme', role: 'owner' } as const
const consent: Consent = {
  authorization_id: 'a1',
  app_name: 'Acme Sync',
  publicClient: null,
  redirect_uri: 'https://sync.acme.example/callback?to=1',
  scopes: ['people:read', 'deals:write'],
  workspaces: [acme, { id: 'w2', name: 'Padaria' }],
}
const DOCUMENT = { metadata_url: 'https://radar.example:8443/client?v=1' }
const connection: ConnectedApp = {
  client_id: 'c1',
  app_name: 'Acme Sync',
  workspace: acme,
  scopes: SCOPES,
  created_at: AT,
  last_used_at: AT,
}
const acmeMembers: WorkspaceMembers = {
  workspace: acme,
  members: [
    { id: 'u1', name: 'Olga Prado', email: 'olga@acme.example', role: 'owner' },
    { id: 'u2', name: 'João', email: 'joao@acme.example', role: 'member' },
  ],
  invitations: [{ id: 'i1', email: 'ana@acme.example', role: 'admin', expires_at: AT, created_at: AT }],
  stopped_webhooks: [
    {
      id: 'w1',
      url: 'https://hooks.example/crm',
      events: ['deal.won'],
      auth_enable: true,
      creator: { id: 'u3', name: 'Bea', email: 'bea@acme.example' },
      stopped: true,
      created_at: AT,
      updated_at: AT,
    },
  ],
}
const invitationOptions = {
  token: 't0',
  workspace_name: 'Acme',
  email: 'ana@acme.example',
  role: 'admin',
  requires_sign_in: false,
} as const
const failure = {
  status: 400,
  code: 'invalid_request',
  message: 'No.',
  requestId: 'r1',
  fields: { state: 'Too long.' },
}

/** Every page, with the given name in every user-defined place. */
function pages(ctx: PageContext, name: string): Readonly<Record<string, object>> {
  const formErrors = {
    summary: name,
    fields: { email: name, password: name, new_password: name, name, role: name, workspace: name },
  }
  return {
    'sign-in': signInPage(ctx, { request: name, email: name, formErrors }),
    consent: consentPage(ctx, {
      consent: { ...consent, app_name: name, workspaces: [{ id: name, name }, acme] },
      formErrors,
    }),
    'consent with one workspace': consentPage(ctx, {
      consent: { ...consent, app_name: name, workspaces: [{ id: 'w1', name }] },
    }),
    'consent without a workspace': consentPage(ctx, {
      consent: { ...consent, app_name: name, workspaces: [] },
    }),
    'consent for a public client': consentPage(ctx, {
      consent: { ...consent, app_name: name, publicClient: { metadata_url: null } },
    }),
    'consent for a public client with a metadata document': consentPage(ctx, {
      consent: { ...consent, app_name: name, publicClient: DOCUMENT },
    }),
    credentials: credentialsPage(ctx, { token: 't0', name, client_id: 'c1' }),
    secret: secretPage(ctx, { name, client_id: 'c1', client_secret: 's1' }),
    'forgotten password': forgotPasswordPage(ctx, { email: name, formErrors }),
    'reset password': resetPasswordPage(ctx, { token: 't0', email: name, formErrors }),
    'changed password': changePasswordPage(ctx, { formErrors }),
    account: accountPage(ctx, {
      connections: [
        { ...connection, app_name: name, workspace: { id: name, name }, scopes: [...SCOPES, name] },
      ],
      workspaces: [{ ...acme, name }],
      message: name,
    }),
    country: countryPage(ctx, { path: '/setup', country: 'BR' }),
    setup: setupPage(ctx, {
      path: '/setup/t0',
      fields: {
        ...{ name, slug: name, country: 'BR', currency: 'BRL', locale: 'pt-BR', time_zone: 'UTC' },
        ...{ owner_name: name, owner_email: name },
      },
      formErrors,
    }),
    'empty account': accountPage(ctx, { connections: [], workspaces: [] }),
    members: membersPage(ctx, {
      view: {
        ...acmeMembers,
        workspace: { ...acme, name },
        members: [{ id: 'u3', name, email: name, role: 'admin' }],
      },
      message: name,
      link: { email: name, href: name },
      formErrors,
      submitted: { email: name, role: name },
    }),
    invitation: invitationPage(ctx, {
      ...invitationOptions,
      workspace_name: name,
      has_password: false,
      name,
      formErrors,
    }),
    'invitation of an existing user': invitationPage(ctx, {
      ...invitationOptions,
      workspace_name: name,
      has_password: true,
    }),
    'invitation of an existing user who must sign in': invitationPage(ctx, {
      ...invitationOptions,
      workspace_name: name,
      has_password: true,
      requires_sign_in: true,
    }),
    message: messagePage(ctx, { title: name, text: name, link: { href: '/sign-in', text: name } }),
    failure: failurePage(ctx, { status: 404, requestId: name }),
    error: errorPage(ctx, { ...failure, message: name, fields: { [name]: name } }),
  }
}

const LANGUAGES = [
  ['en', en],
  ['pt-BR', ptBr],
] as const

describe.each(LANGUAGES)('each page in %s', (language, texts) => {
  const signedIn = { ...context, texts, user: { name: HOSTILE, email: HOSTILE } }

  test.each(Object.entries(pages(signedIn, HOSTILE)))(
    'is well-formed and escapes user-defined text: %s',
    (_, page) => {
      const elements = elementsOf(page)
      expect(elementsWithTag(elements, 'script', 'style', 'b')).toEqual([])
      expect(elements.filter(({ attributes }) => attributes.has('style'))).toEqual([])
      expect(elementsWithTag(elements, 'html').map(({ attributes }) => attributes.get('lang'))).toEqual([
        language,
      ])
      expect([
        elementsWithTag(elements, 'main').length,
        elementsWithTag(elements, 'h1').length,
        elementsWithTag(elements, 'title').length,
      ]).toEqual([1, 1, 1])
      expect(textOf(elements, 'body')).not.toContain('undefined')
    },
  )

  test.each(Object.entries(pages(signedIn, 'Acme')))(
    'has a label for each input and unique ids: %s',
    (_, page) => {
      const elements = elementsOf(page)
      const ids = elements.flatMap(({ attributes }) => attributes.get('id') ?? [])
      expect(new Set(ids).size).toBe(ids.length)
      const labelled = new Set([
        ...values(elements, 'label', 'for'),
        ...elementsWithTag(elements, 'label').flatMap(inputsIn),
      ])
      const inputs = elementsWithTag(elements, 'input').filter(
        ({ attributes }) => attributes.get('type') !== 'hidden',
      )
      expect(
        inputs.filter((input) => !labelled.has(input) && !labelled.has(input.attributes.get('id') ?? '')),
      ).toEqual([])
      const references = [
        ...values(elements, 'input', 'aria-describedby').flatMap((ids) => ids.split(' ')),
        ...values(elements, 'section', 'aria-labelledby'),
        ...values(elements, 'a', 'href').flatMap((href) => (href.startsWith('#') ? [href.slice(1)] : [])),
      ]
      expect(references.filter((id) => !ids.includes(id))).toEqual([])
    },
  )

  test.each(Object.entries(pages(signedIn, 'Acme')))(
    'prefixes each address with the path of the service and each form has a CSRF token: %s',
    (_, page) => {
      const elements = elementsOf(page)
      const addresses = [
        ...values(elements, 'form', 'action'),
        ...values(elements, 'link', 'href'),
        ...values(elements, 'a', 'href'),
      ]
      expect(addresses.filter((address) => !address.startsWith('/crm/') && !address.startsWith('#'))).toEqual(
        [],
      )
      // A form with the method get changes nothing.
      const posts = formsOf(page).filter(({ method }) => method !== 'get')
      expect(posts.filter(({ method, fields }) => method !== 'post' || !fields.includes('csrf=c5f'))).toEqual(
        [],
      )
    },
  )

  test('has a sentence for each scope', () => {
    expect(Object.keys(texts.scopes).sort()).toEqual([...SCOPES].sort())
    expect(Object.values(texts.scopes).filter((sentence) => !/^\p{Lu}[^.]+\.$/u.test(sentence))).toEqual([])
    expect(new Set(Object.values(texts.scopes)).size).toBe(SCOPES.length)
  })
})

describe('forms', () => {
  test('of sign-in contain email, password and the pending request', () => {
    expect(formsOf(signInPage(context, { request: 'a1', email: 'olga@' }))).toEqual([
      {
        action: '/crm/sign-in',
        method: 'post',
        fields: ['request=a1', 'csrf=c5f', 'email=olga@', 'password='],
      },
    ])
    expect(formsOf(signInPage(context, {}))[0]?.fields).toEqual(['csrf=c5f', 'email=', 'password='])
  })

  test('of consent contain the choices and sign-out', () => {
    expect(formsOf(consentPage(context, { consent }))).toEqual([
      { action: '/crm/sign-out', method: 'post', fields: ['request=a1', 'csrf=c5f'] },
      {
        action: '/crm/oauth/consent',
        method: 'post',
        fields: [
          'request=a1',
          'csrf=c5f',
          'workspace=w1',
          'workspace=w2',
          'decision=approve',
          'decision=deny',
        ],
      },
    ])
  })

  test('of consent preselect no workspace, and can deny without one', () => {
    const elements = elementsOf(consentPage(context, { consent }))
    expect(elements.filter(({ attributes }) => attributes.has('checked'))).toEqual([])
    const deny = elements.filter(({ attributes }) => attributes.get('value') === 'deny')
    expect(deny.map(({ attributes }) => attributes.has('formnovalidate'))).toEqual([true])
  })

  test('of consent contain the only workspace, and only denial without a workspace', () => {
    const [, one] = formsOf(consentPage(context, { consent: { ...consent, workspaces: [acme] } }))
    expect(one?.fields).toEqual([
      'request=a1',
      'csrf=c5f',
      'workspace=w1',
      'decision=approve',
      'decision=deny',
    ])
    const none = consentPage(context, { consent: { ...consent, workspaces: [] } })
    expect(formsOf(none)[1]?.fields).toEqual(['request=a1', 'csrf=c5f', 'decision=deny'])
    expect(textOf(elementsOf(none), 'main')).toContain('You belong to no workspace')
    expect(textOf(elementsOf(none), 'main')).toContain('If you deny, you go on to sync.acme.example.')
  })

  test('of credentials, passwords and invitations contain only their fields', () => {
    const lastForm = (page: object) => formsOf(page).at(-1)
    expect(lastForm(credentialsPage(context, { token: 't0', name: 'x', client_id: 'c1' }))).toMatchObject({
      action: '/crm/credentials/t0',
      fields: ['csrf=c5f'],
    })
    expect(lastForm(forgotPasswordPage(context, {}))).toMatchObject({
      action: '/crm/password/forgot',
      fields: ['csrf=c5f', 'email='],
    })
    expect(lastForm(resetPasswordPage(context, { token: 't0', email: 'a@b.example' }))).toMatchObject({
      action: '/crm/password/reset/t0',
      fields: ['csrf=c5f', 'new_password='],
    })
    expect(lastForm(changePasswordPage(context, {}))).toMatchObject({
      action: '/crm/account/password',
      fields: ['csrf=c5f', 'current_password=', 'new_password='],
    })
    expect(lastForm(invitationPage(context, { ...invitationOptions, has_password: false }))).toMatchObject({
      action: '/crm/invitations/t0',
      fields: ['csrf=c5f', 'name=', 'password='],
    })
    expect(lastForm(invitationPage(context, { ...invitationOptions, has_password: true }))?.fields).toEqual([
      'csrf=c5f',
    ])
  })

  test('of the account disconnect an app from one workspace, and sign out everywhere', () => {
    expect(formsOf(accountPage(context, { connections: [connection], workspaces: [acme] }))).toEqual([
      { action: '/crm/sign-out', method: 'post', fields: ['csrf=c5f'] },
      {
        action: '/crm/account/apps/revoke',
        method: 'post',
        fields: ['workspace=w1', 'client=c1', 'csrf=c5f'],
      },
      { action: '/crm/sign-out/everywhere', method: 'post', fields: ['csrf=c5f'] },
    ])
  })

  test('of the members page invite, remove and withdraw', () => {
    expect(
      formsOf(membersPage(context, { view: acmeMembers, submitted: { email: 'x@', role: 'admin' } })).slice(
        1,
      ),
    ).toEqual([
      { action: '/crm/workspaces/acme/members/remove', method: 'post', fields: ['user=u2', 'csrf=c5f'] },
      {
        action: '/crm/workspaces/acme/members/withdraw',
        method: 'post',
        fields: ['invitation=i1', 'csrf=c5f'],
      },
      {
        action: '/crm/workspaces/acme/members/invite',
        method: 'post',
        fields: ['csrf=c5f', 'email=x@', 'role=member', 'role=admin', 'role=owner'],
      },
    ])
  })
})

describe('a members page', () => {
  const removableUsers = (shown: WorkspaceMembers) =>
    formsOf(membersPage(context, { view: shown })).flatMap(({ fields }) =>
      fields.filter((field) => field.startsWith('user=')),
    )
  const second = { id: 'u3', name: 'Rui', email: 'rui@acme.example', role: 'owner' } as const

  test('lets only an owner remove an owner, and only while another owner remains', () => {
    expect(removableUsers(acmeMembers)).toEqual(['user=u2'])
    expect(removableUsers({ ...acmeMembers, members: [...acmeMembers.members, second] })).toEqual([
      'user=u1',
      'user=u2',
      'user=u3',
    ])
    expect(
      removableUsers({
        ...acmeMembers,
        workspace: { ...acme, role: 'admin' },
        members: [...acmeMembers.members, second],
      }),
    ).toEqual(['user=u2'])
  })

  test('names the action: leave for the signed-in user, remove for others', () => {
    const members = [...acmeMembers.members, second]
    const elements = elementsOf(membersPage(context, { view: { ...acmeMembers, members } }))
    const dangerous = elementsWithTag(elements, 'button').filter(
      ({ attributes }) => attributes.get('class') === 'risky',
    )
    expect(dangerous.map(({ text }) => text)).toEqual(['Leave the workspace', 'Remove João', 'Remove Rui'])
    expect(elementsWithTag(elements, 'summary').map(({ text }) => text)).toEqual([
      'Leave the workspace',
      'Remove João',
      'Remove Rui',
    ])
  })

  test('does not let an admin withdraw the invitation of an owner', () => {
    const invitations = [
      ...acmeMembers.invitations,
      { ...acmeMembers.invitations[0]!, id: 'i2', role: 'owner' as const },
    ]
    const withdrawable = (role: 'owner' | 'admin') =>
      formsOf(
        membersPage(context, { view: { ...acmeMembers, workspace: { ...acme, role }, invitations } }),
      ).flatMap(({ fields }) => fields.filter((field) => field.startsWith('invitation=')))
    expect([withdrawable('owner'), withdrawable('admin')]).toEqual([
      ['invitation=i1', 'invitation=i2'],
      ['invitation=i1'],
    ])
  })

  test('does not let an admin invite an owner', () => {
    const [invite] = formsOf(
      membersPage(context, { view: { ...acmeMembers, workspace: { ...acme, role: 'admin' } } }),
    ).slice(-1)
    expect(invite?.fields).toEqual(['csrf=c5f', 'email=', 'role=member', 'role=admin'])
  })

  test('keeps the selected role, and preselects the lowest', () => {
    const selectedRoles = (role?: string) =>
      elementsOf(membersPage(context, { view: acmeMembers, submitted: { role } })).flatMap(
        ({ attributes }) => (attributes.has('checked') ? attributes.get('value') : []),
      )
    expect([selectedRoles(), selectedRoles('admin'), selectedRoles('emperor')]).toEqual([
      ['member'],
      ['admin'],
      ['member'],
    ])
  })

  test('is linked from the account of owners and admins', () => {
    const hasTeamLink = (role: 'owner' | 'admin' | 'member') =>
      values(
        elementsOf(accountPage(context, { connections: [], workspaces: [{ ...acme, role }] })),
        'a',
        'href',
      ).includes('/crm/workspaces/acme/members')
    expect([hasTeamLink('owner'), hasTeamLink('admin'), hasTeamLink('member')]).toEqual([true, true, false])
  })
})

describe('an account page', () => {
  test('distinguishes apps with the same name', () => {
    const connections = ['c1', 'c2'].map((client_id) => ({ ...connection, client_id }))
    const text = textOf(elementsOf(accountPage(context, { connections, workspaces: [] })), 'main')
    expect([text.includes('Client ID c1'), text.includes('Client ID c2')]).toEqual([true, true])
  })

  test('shows name and email in separate paragraphs', () => {
    const lines = elementsWithTag(
      elementsOf(accountPage(context, { connections: [], workspaces: [] })),
      'p',
    ).map(({ text }) => text)
    expect(lines).toEqual(expect.arrayContaining(['Olga Prado', 'olga@acme.example']))
  })
})

describe('an invitation', () => {
  const leadText = (signedInAs: string | undefined, has_password: boolean) => {
    const user = signedInAs === undefined ? undefined : { name: 'Olga', email: signedInAs }
    const elements = elementsOf(invitationPage({ ...context, user }, { ...invitationOptions, has_password }))
    const [element] = elements.filter(({ attributes }) => attributes.get('class') === 'lead')
    return element?.text.replace(/\s+/g, ' ').trim()
  }

  test('tells new users to choose a name and password, and existing users which account is invited', () => {
    expect(leadText(undefined, false)).toBe(
      'You are invited as an admin. Choose your name and a password, and you are in.',
    )
    const known =
      'You are invited as an admin. The invitation is for the account ana@acme.example, which you already have.'
    expect([leadText(undefined, true), leadText('ana@acme.example', true)]).toEqual([known, known])
  })

  test('mentions that another user is signed in', () => {
    const other =
      'You are invited as an admin. This invitation is for ana@acme.example. You are signed in as olga@acme.example.'
    expect(leadText('olga@acme.example', true)).toBe(other)
    expect(leadText('olga@acme.example', false)).toBe(
      `${other} Choose your name and a password, and you are in.`,
    )
  })
})

describe('a consent page', () => {
  const consentText = (changes: Partial<Consent> = {}) =>
    textOf(elementsOf(consentPage(context, { consent: { ...consent, ...changes } })), 'main')

  test('names the app, the account, the host, each permission and the lifetime', () => {
    expect(consentText()).toContain('Acme Sync is asking for access')
    expect(consentText()).toContain('olga@acme.example')
    expect(consentText()).toContain('you go on to sync.acme.example.')
    expect(consentText()).toContain('See people, with their contact details and custom fields.')
    expect(consentText()).toContain('Add, change and delete deals and pipelines.')
    expect(consentText()).not.toContain('See companies')
    expect(consentText()).toContain('unused for 60 days')
  })

  test('states that a public client named itself, and where it is described', () => {
    expect(consentText()).not.toContain('chose its name itself')
    expect(consentText()).toContain('Anyone can register an app')
    const registered = consentText({ publicClient: { metadata_url: null } })
    expect(registered).toContain('This program chose its name itself, and nobody has checked it.')
    expect(registered).not.toContain('described')
    expect(registered).not.toContain('Anyone can register an app')
    for (const workspaces of [consent.workspaces, []]) {
      expect(consentText({ publicClient: DOCUMENT, workspaces })).toContain(
        'nobody has checked it. It is described at radar.example:8443: whoever',
      )
    }
  })

  test('shows the host in ASCII form', () => {
    expect(consentText({ redirect_uri: 'https://аcme.example/callback' })).toContain(
      'you go on to xn--cme-5cd.example.',
    )
    expect(consentText({ redirect_uri: 'https://acme.example@evil.example:8443/acme.example' })).toContain(
      'you go on to evil.example:8443.',
    )
  })

  test.each(['http://127.0.0.1:8787/cb', 'http://localhost:8787/cb', 'http://[::1]:8787/cb'])(
    'recognizes a loopback redirect URI: %s',
    (redirect_uri) => {
      expect(consentText({ redirect_uri })).toMatch(/a program on this device \(.*:8787\)/)
    },
  )

  test.each(['https://127.evil.example/cb', 'https://localhost.evil.example/cb'])(
    'does not treat other hosts as the device: %s',
    (redirect_uri) => {
      expect(consentText({ redirect_uri })).not.toContain('this device')
    },
  )
})

describe('a field with an error', () => {
  test('is marked and described by its hint and its error', () => {
    const formErrors = { fields: { new_password: 'Too short.' } }
    const [input] = elementsWithTag(elementsOf(changePasswordPage(context, { formErrors })), 'input').filter(
      ({ attributes }) => attributes.get('id') === 'new_password',
    )
    expect(input?.attributes.get('aria-invalid')).toBe('true')
    expect(input?.attributes.get('aria-describedby')).toBe('new_password-hint new_password-error')
  })

  test('is reported above the form, even without a matching field', () => {
    const elements = elementsOf(
      membersPage(context, { view: acmeMembers, formErrors: { fields: { user: 'The last owner.' } } }),
    )
    const [alert] = elements.filter(({ attributes }) => attributes.get('role') === 'alert')
    expect(alert?.text).toContain('The last owner.')
    expect([alert?.attributes.get('tabindex'), alert?.attributes.has('autofocus')]).toEqual(['-1', true])
    expect(textOf(elements, 'title')).toBe('Error: Members · Sales CRM')
  })
})

describe('an error page', () => {
  test('shows the error details to the developer', () => {
    const consentText = textOf(elementsOf(errorPage(context, failure)), 'main')
    for (const part of ['This request cannot continue', 'invalid_request', 'No.', 'state: Too long.', 'r1'])
      expect(consentText).toContain(part)
  })

  test.each([
    [401, 'This request cannot continue'],
    [403, 'Not yours to change'],
    [404, 'Nothing here'],
    [429, 'Too many requests'],
    [500, 'Something went wrong'],
  ])('of status %i has the title "%s"', (status, title) => {
    expect(textOf(elementsOf(errorPage(context, { ...failure, status })), 'h1')).toBe(title)
  })
})

describe('a failure page', () => {
  test.each([
    [400, 'Please try that again'],
    [403, 'Not yours to change'],
    [404, 'Nothing here'],
    [429, 'Too many requests'],
    [500, 'Something went wrong'],
  ])('of status %i has the title "%s" and shows only the request id', (status, title) => {
    const elements = elementsOf(failurePage(context, { status, requestId: 'r1' }))
    expect(textOf(elements, 'h1')).toBe(title)
    expect(textOf(elements, 'main')).toContain('Request ID: r1')
    expect(textOf(elements, 'main')).not.toContain('developers')
  })

  test('links to the account for 403 and 404', () => {
    const links = (status: number) =>
      values(elementsOf(failurePage(context, { status, requestId: 'r1' })), 'a', 'href').slice(2)
    expect([403, 404, 429, 500].map(links)).toEqual([['/crm/account'], ['/crm/account'], [], []])
  })
})

describe('the style sheet', () => {
  const css = Buffer.from(STYLESHEET.bytes).toString()

  test('has a path with a content hash', () => {
    expect(STYLESHEET.path).toMatch(/^\/assets\/pages-[0-9a-f]{16}\.css$/)
    expect(values(elementsOf(signInPage(context, {})), 'link', 'href')).toEqual([
      `/crm${STYLESHEET.path}`,
      `/crm${ICON.path}`,
    ])
  })

  test('loads no other resource', () => {
    expect(css).not.toMatch(/url\(|@import|@font-face/)
  })

  test('has a rule for each class in use', () => {
    const folder = new URL('../../src/pages/', import.meta.url)
    const sources = readdirSync(folder).filter((file) => file.endsWith('.ts'))
    const used = sources.flatMap((file) => [
      ...readFileSync(new URL(file, folder), 'utf8').matchAll(/class="([^"$]+)"/g),
    ])
    const classes = new Set(used.flatMap(([, names = '']) => names.split(' ')))
    expect([...classes].filter((name) => !new RegExp(`\\.${name}\\b`).test(css))).toEqual([])
  })
})

test('nested markup is not escaped twice', () => {
  expect(String(html`<p>${html`<em>${'&'}</em>`}${['<', html`<br>`]}</p>`)).toBe(
    '<p><em>&amp;</em>&lt;<br></p>',
  )
})

function elementsWithTag(elements: readonly Element[], ...tags: readonly string[]): readonly Element[] {
  return elements.filter(({ tag }) => tags.includes(tag))
}

function values(elements: readonly Element[], tag: string, attribute: string): readonly string[] {
  return elementsWithTag(elements, tag).flatMap(({ attributes }) => attributes.get(attribute) ?? [])
}

function textOf(elements: readonly Element[], tag: string): string {
  const [element] = elementsWithTag(elements, tag)
  return (element?.text ?? '').replace(/\s+/g, ' ').trim()
}

function inputsIn(element: Element): readonly Element[] {
  return element.children.flatMap((child) => (child.tag === 'input' ? [child] : inputsIn(child)))
}

/** The fields that each form would submit; every option of a choice. */
function formsOf(page: object) {
  return elementsWithTag(elementsOf(page), 'form').map((form) => ({
    action: form.attributes.get('action'),
    method: form.attributes.get('method'),
    fields: descendantsOf(form).flatMap(({ attributes }) =>
      attributes.has('name') ? `${attributes.get('name')}=${attributes.get('value') ?? ''}` : [],
    ),
  }))
}

function descendantsOf(element: Element): readonly Element[] {
  return element.children.flatMap((child) => [child, ...descendantsOf(child)])
}
