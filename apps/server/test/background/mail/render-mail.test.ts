import type { OutgoingMail } from '@sales-crm/core'
import { describe, expect, test } from 'vitest'
import { neutralizeName } from '../../../src/background/mail/neutral-name.ts'
import { renderMail } from '../../../src/background/mail/render-mail.ts'

const APP = {
  to: 'dev@acme.example',
  app_name: 'Acme Sync',
  client_id: '01890000-0000-7000-8000-000000000001',
  link: 'https://crm.example/credentials/crm_ln_abc',
  address: '203.0.113.7',
}
const USER = { to: 'ana@acme.example', name: 'Ana Lima', address: '2001:db8:1:2::/64' }

const MAILS = {
  app_registered: { kind: 'app_registered', language: 'en', ...APP },
  app_rotated: { kind: 'app_rotated', language: 'en', ...APP },
  invitation: {
    ...{
      kind: 'invitation',
      language: 'en',
      to: 'bob@acme.example',
      workspace_name: 'Acme Ltda',
      inviter_name: 'Olga Prado',
    },
    ...{ role: 'admin', link: 'https://crm.example/invitations/crm_in_abc' },
  },
  password_reset: {
    kind: 'password_reset',
    language: 'en',
    ...USER,
    link: 'https://crm.example/password/crm_ln_def',
  },
  password_changed: { kind: 'password_changed', language: 'en', ...USER },
  sign_in_attempts: { kind: 'sign_in_attempts', language: 'en', ...USER },
  notice: {
    ...{ kind: 'notice', language: 'en', to: 'ana@acme.example', notice: 'mention' },
    ...{ actor_name: 'Olga Prado', title: 'Roof', link: 'https://crm.example/w/acme/deals/1' },
  },
  tasks_of_day: {
    ...{ kind: 'tasks_of_day', language: 'en', to: 'ana@acme.example', workspace_name: 'Acme Ltda' },
    ...{ day: '2026-03-01', due: ['Call Ana'], overdue: ['Send the offer'], others: 3 },
    link: 'https://crm.example/w/acme/tasks',
  },
} as const satisfies { [Kind in OutgoingMail['kind']]: Extract<OutgoingMail, { kind: Kind }> }

/** The subject and texts that each mail contains besides its link. */
const EXPECTED_TEXTS: Readonly<Record<string, readonly [subject: string, ...texts: string[]]>> = {
  'app_registered en': [
    'Your app is registered',
    '“Acme Sync”',
    APP.client_id,
    'The link works once, within 15 minutes.',
    '203.0.113.7',
    'Wasn’t it you? Then do nothing',
  ],
  'app_registered pt-BR': [
    'Seu aplicativo foi registrado',
    '“Acme Sync”',
    APP.client_id,
    '15 minutos',
    '203.0.113.7',
    'Não foi você?',
  ],
  'app_rotated en': [
    'Your app needs its new client secret',
    '“Acme Sync”',
    APP.client_id,
    'within 15 minutes',
    '203.0.113.7',
    'Wasn’t it you?',
  ],
  'app_rotated pt-BR': [
    'Seu aplicativo precisa do novo client secret',
    '“Acme Sync”',
    '15 minutos',
    '203.0.113.7',
    'Não foi você?',
  ],
  'invitation en': [
    'Olga Prado invites you to Acme Ltda',
    'Olga Prado would',
    '“Acme Ltda”',
    'as an admin',
    'seven days',
    'Then do nothing',
  ],
  'invitation pt-BR': [
    'Convite de Olga Prado para Acme Ltda',
    '“Acme Ltda”',
    'função de administrador',
    'sete dias',
    'não faça nada',
  ],
  'notice en': ['Olga Prado mentioned you on Roof', 'mentioned you on “Roof”.', 'in your settings'],
  'notice pt-BR': ['Olga Prado mencionou você em Roof', 'em “Roof”.', 'nas suas configurações'],
  'tasks_of_day en': [
    'Your tasks for today in Acme Ltda',
    ...['Due today:', '– Call Ana', 'Overdue:', '– Send the offer', 'And 3 more.'],
  ],
  'tasks_of_day pt-BR': [
    'Suas tarefas de hoje em Acme Ltda',
    ...['Para hoje:', '– Call Ana', 'Atrasadas:', '– Send the offer', 'E mais 3.'],
  ],
  'password_reset en': [
    'Choose a new password',
    'Hello Ana Lima,',
    '30 minutes',
    '2001:db8:1:2::/64',
    'your password stays as it is',
  ],
  'password_reset pt-BR': [
    'Crie uma nova senha',
    'Olá, Ana Lima!',
    '30 minutos',
    '2001:db8:1:2::/64',
    'sua senha continua a mesma',
  ],
  'password_changed en': [
    'Your password was changed',
    'Hello Ana Lima,',
    '2001:db8:1:2::/64',
    'Wasn’t it you?',
  ],
  'password_changed pt-BR': [
    'Sua senha foi alterada',
    'Olá, Ana Lima!',
    '2001:db8:1:2::/64',
    'Não foi você?',
  ],
  'sign_in_attempts en': [
    'Failed attempts to sign in to your account',
    'Hello Ana Lima,',
    '2001:db8:1:2::/64',
    'Wasn’t it you? Nobody has got in.',
  ],
  'sign_in_attempts pt-BR': [
    'Tentativas de acesso à sua conta sem sucesso',
    'Olá, Ana Lima!',
    '2001:db8:1:2::/64',
    'Não foi você? Ninguém conseguiu entrar.',
  ],
}

const ALL_MAILS = Object.values(MAILS).flatMap((outgoing) =>
  ['en', 'pt-BR'].map((language) => ({ ...outgoing, language })),
)
const linkOf = (outgoing: OutgoingMail) => ('link' in outgoing ? outgoing.link : undefined)

describe.each(ALL_MAILS)('$kind in $language', (outgoing) => {
  const mail = renderMail(outgoing)

  test('has the same content in text and HTML', () => {
    const [subject, ...texts] = EXPECTED_TEXTS[`${outgoing.kind} ${outgoing.language}`]!
    expect(mail).toMatchObject({ to: outgoing.to, subject })
    for (const content of texts) {
      expect(mail.text).toContain(content)
      expect(mail.html).toContain(content)
    }
    expect(mail.html).toContain(`<html lang="${outgoing.language}">`)
  })

  test('has its link on its own line of the text, and once as a button in HTML', () => {
    const link = linkOf(outgoing)
    expect(mail.text.match(/^https:\S+$/gm) ?? []).toEqual(link === undefined ? [] : [link])
    expect(mail.text.match(/\w+:\/\/\S+/g) ?? []).toHaveLength(link === undefined ? 0 : 1)
    expect(Array.from(mail.html.matchAll(/href="([^"]*)"/g), ([, href]) => href)).toEqual(
      link === undefined ? [] : [link],
    )
    if (link !== undefined) expect(mail.html).toContain(`>${link}</span>`)
  })

  test('breaks no line within a word', () => {
    expect(mail.text.replaceAll(/\S*[@/]\S*/g, '')).not.toMatch(/\be-mail|crie-a/i)
  })

  test('loads nothing, has no scripts, and supports dark mode', () => {
    expect(mail.html).not.toMatch(/<(img|script|link|iframe|form|table)\b|url\(|@import|src=/i)
    expect(mail.html).toContain('<meta name="color-scheme" content="light dark">')
    expect(mail.html).not.toContain('undefined')
    expect(mail.text).not.toContain('undefined')
  })
})

test.each([
  ['pt', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['PT-br', 'pt-BR'],
  ['en-GB', 'en'],
  ['fr', 'en'],
  ['ptx', 'en'],
  ['', 'en'],
])('language %j selects %s', (language, tag) => {
  expect(renderMail({ ...MAILS.password_changed, language }).html).toContain(`<html lang="${tag}">`)
})

test.each(['owner', 'admin', 'member'] as const)(
  'an invitation names the role %s in both languages',
  (role) => {
    const roleNames = {
      owner: ['an owner', 'proprietário'],
      admin: ['an admin', 'administrador'],
      member: ['a member', 'membro'],
    }[role]
    const texts = ['en', 'pt-BR'].map((language) => renderMail({ ...MAILS.invitation, role, language }).text)
    texts.forEach((text, index) => {
      expect(text).toContain(roleNames[index])
    })
  },
)

describe('a name chosen by others', () => {
  test.each([
    ['Ana Lima', 'Ana Lima'],
    ['João & Filhos S.A.', 'João & Filhos S.A.'],
    ['Acme Inc.', 'Acme Inc.'],
    ['Sync 2.0', 'Sync 2.0'],
    ['A/B: tests', 'A/B: tests'],
    ['Booking.com', 'Booking. com'],
    ['see www.evil.example/now', 'see www. evil. example/now'],
    ['http://evil.example', 'http: //evil. example'],
    ['HTTPS://2130706433/', 'HTTPS: //2130706433/'],
    ['https:\\\\evil', 'https: \\\\evil'],
    ['eve@evil.example', 'eve@ evil. example'],
    ['evil。example', 'evil。 example'],
    ['evil．example', 'evil. example'],
    ['evil․example', 'evil. example'],
    ['evil.भारत', 'evil. भारत'],
    ['e\u200bvil.\u2060example', 'evil. example'],
    ['ev\u202eil', 'evil'],
    ['Acme\r\nBcc: eve@evil.example', 'Acme Bcc: eve@ evil. example'],
    ['a\u2028b\u00a0\t c', 'a b c'],
    ['\u200b\u202e', '—'],
    ['\ud800x', 'x'],
    ['🎉'.repeat(90), `${'🎉'.repeat(79)}…`],
  ])('%j is rendered as %j', (name, rendered) => {
    expect(neutralizeName(name)).toBe(rendered)
    expect(neutralizeName(rendered)).toBe(rendered)
  })

  test('is never markup, a link or a header, in any mail', () => {
    const hostile = '<a href="http://evil.example">x</a>"\r\nBcc: eve@evil.example\u202e'
    const names = { app_name: hostile, workspace_name: hostile, inviter_name: hostile, name: hostile }
    for (const outgoing of ALL_MAILS) {
      const mail = renderMail({ ...outgoing, ...names })
      expect(mail.subject).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      for (const part of [mail.subject, mail.text, mail.html])
        expect(part).not.toMatch(/evil\.example|:\/\/evil|eve@evil|\u202e/)
      expect(mail.html).not.toContain('<a href="http:')
      expect(mail.html.match(/<a /g) ?? []).toHaveLength('link' in outgoing ? 1 : 0)
    }
  })

  test('of an app is not in the subject, because anyone may register an app under any name', () => {
    for (const { kind, language } of ALL_MAILS) {
      if (kind !== 'app_registered' && kind !== 'app_rotated') continue
      expect(renderMail({ ...MAILS[kind], language, app_name: 'Pay now' }).subject).not.toContain('Pay now')
    }
  })

  test('in a link is escaped', () => {
    const { html } = renderMail({
      ...MAILS.password_reset,
      link: 'https://crm.example/"><script>alert(1)</script>',
    })
    expect(html).not.toContain('<script')
  })
})
