import { describe, expect, test } from 'vitest'
import { parseSmtpUrl } from '../../src/index.ts'

describe('the SMTP URL parser', () => {
  const defaults = { port: undefined, secure: false, requireTls: false, auth: undefined }

  test.each([
    ['smtp://mail.example', { ...defaults, host: 'mail.example' }],
    ['smtp://mail.example:2525/', { ...defaults, host: 'mail.example', port: 2525 }],
    ['smtp://mail_relay:25', { ...defaults, host: 'mail_relay', port: 25 }],
    ['smtp://[::1]:25', { ...defaults, host: '::1', port: 25 }],
    ['smtps://mail.example', { ...defaults, host: 'mail.example', secure: true }],
    ['smtp://mail.example?requireTLS=true', { ...defaults, host: 'mail.example', requireTls: true }],
  ])('parses %s', (url, server) => {
    expect(parseSmtpUrl(url)).toEqual(server)
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
  ])('requires TLS for %s: %s', (url, requireTls) => {
    expect(parseSmtpUrl(url)).toMatchObject({ requireTls, auth: { user: 'a', pass: 'b' } })
  })

  test('decodes percent-encoded credentials', () => {
    expect(parseSmtpUrl('smtps://me%40acme.example:p%2F%3A%25@mail.example').auth).toEqual({
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
  ])('rejects %j', (url) => {
    expect(() => parseSmtpUrl(url)).toThrow(new Error('This is no address of a mail server.'))
  })
})
