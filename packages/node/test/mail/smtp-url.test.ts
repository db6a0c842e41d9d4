import { describe, expect, test } from 'vitest'
import { mailboxFrom, smtpServerFrom } from '../../src/index.ts'
import { redact } from '../../src/mail/mail-error.ts'

describe('a sender', () => {
  test.each([
    ['crm@acme.example', { name: '', address: 'crm@acme.example' }],
    ['no-reply@localhost', { name: '', address: 'no-reply@localhost' }],
    ['Sales CRM <no-reply@localhost>', { name: 'Sales CRM', address: 'no-reply@localhost' }],
    ['Ação<crm+a@acme.example>', { name: 'Ação', address: 'crm+a@acme.example' }],
    ['"Acme, Inc." <crm@acme.example>', { name: 'Acme, Inc.', address: 'crm@acme.example' }],
    ['<crm@acme.example>', undefined],
    ['crm', undefined],
    ['', undefined],
    ['crm@acme.example, eve@evil.example', undefined],
    ['Acme <crm@acme.example> <eve@evil.example>', undefined],
    ['Acme\r\nBcc: eve@evil.example <crm@acme.example>', undefined],
    ['Acme <crm@acme.example\r\n>', undefined],
    ['Ac\u202eme <crm@acme.example>', undefined],
    ['Acme <crm@-acme.example>', undefined],
    ['Acme <"a b"@acme.example>', undefined],
    ['Acme <crm@acme.example(evil.example)>', undefined],
  ])('%j is read as %j', (text, mailbox) => {
    if (mailbox) expect(mailboxFrom(text)).toEqual(mailbox)
    else expect(() => mailboxFrom(text)).toThrow('This is no e-mail address, nor a name and one.')
  })
})

describe('the address of a mail server', () => {
  const plain = { port: undefined, secure: false, requireTls: false, auth: undefined }

  test.each([
    ['smtp://mail.example', { ...plain, host: 'mail.example' }],
    ['smtp://mail.example:2525/', { ...plain, host: 'mail.example', port: 2525 }],
    ['smtp://mail_relay:25', { ...plain, host: 'mail_relay', port: 25 }],
    ['smtp://[::1]:25', { ...plain, host: '::1', port: 25 }],
    ['smtps://mail.example', { ...plain, host: 'mail.example', secure: true }],
    ['smtp://mail.example?requireTLS=true', { ...plain, host: 'mail.example', requireTls: true }],
  ])('%s names it', (url, server) => {
    expect(smtpServerFrom(url)).toEqual(server)
  })

  test.each([
    ['smtp://a:b@mail.example', true],
    ['smtp://a:b@10.0.0.7:25', true],
    ['smtp://a:b@localhost.example', true],
    ['smtp://a:b@mail.example?requireTLS=false', false],
    ['smtp://a:b@localhost:25', false],
    ['smtp://a:b@127.0.0.1:25', false],
    ['smtp://a:b@[::1]:25', false],
    ['smtp://a:b@127.0.0.1:25?requireTLS=true', true],
  ])('with %s TLS is insisted on: %s', (url, requireTls) => {
    expect(smtpServerFrom(url)).toMatchObject({ requireTls, auth: { user: 'a', pass: 'b' } })
  })

  test('what a URL cannot hold in a password is percent-encoded', () => {
    expect(smtpServerFrom('smtps://me%40acme.example:p%2F%3A%25@mail.example').auth).toEqual({
      user: 'me@acme.example',
      pass: 'p/:%',
    })
  })

  test.each([
    '',
    'mail.example:25',
    'http://mail.example',
    'smtp://',
    'smtp:mail.example',
    'smtp://mail.example:0',
    'smtp://mail.example:99999',
    'smtp://a@mail.example',
    'smtp://:b@mail.example',
    'smtp://a:%zz@mail.example',
    'smtp://mail.example/path',
    'smtp://mail.example#fragment',
    'smtp://mail.example?logger=true',
    'smtp://mail.example?requireTLS=yes',
    'smtp://mail.example?tls.rejectUnauthorized=false',
    'smtp://ma il.example',
    'smtp://bücher.example',
  ])('%j is none', (url) => {
    expect(() => smtpServerFrom(url)).toThrow(new Error('This is no address of a mail server.'))
  })
})

describe('what a server says', () => {
  test.each([
    ['550 5.1.1 <ana@acme.example>: no such user', '550 5.1.1 <…@acme.example>: no such user'],
    ['554 blocked http://crm.example/links/crm_ln_1', '554 blocked [link]'],
    ['554 blocked crm_ln_0123456789abcdef0123456789abcdef', '554 blocked …'],
    ['535 pw is secret', '535 pw is ***'],
    ['one\r\ntwo\u001b[31m\u202e', 'one two [31m'],
    ['x'.repeat(20).concat(' ').repeat(30), 'x'.repeat(20).concat(' ').repeat(30).slice(0, 300)],
  ])('is shown without what is secret: %j', (text, shown) => {
    expect(redact(text, ['secret'])).toBe(shown)
  })
})
