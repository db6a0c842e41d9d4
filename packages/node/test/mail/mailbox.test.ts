import { describe, expect, test } from 'vitest'
import { parseMailbox } from '../../src/index.ts'

describe('the mailbox parser', () => {
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
  ])('parses %j as %j', (text, mailbox) => {
    if (mailbox) expect(parseMailbox(text)).toEqual(mailbox)
    else expect(() => parseMailbox(text)).toThrow('This is no e-mail address, nor a name and one.')
  })
})
