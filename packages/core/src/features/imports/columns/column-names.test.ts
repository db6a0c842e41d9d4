import { describe, expect, test } from 'vitest'
import { ADDRESS, createField, describeFile, proposeFile } from '../../../../test/column-proposals.ts'
import type { KnownField } from './target.ts'

describe('a name of a column', () => {
  test.each<[string, readonly KnownField[], readonly string[]]>([
    [
      'Contact e-mail,Phone number,Contact',
      [createField('c', 'Contact'), createField('n', 'Number')],
      ['emails:work', 'phones:work', 'custom_fields.c'],
    ],
    [
      'Contact CPF,Linkedin,Campo1',
      [createField('cpf', 'CPF', 'cpf'), createField('in', 'LinkedIn'), createField('c1', 'Campo 1')],
      ['custom_fields.cpf', 'custom_fields.in', 'custom_fields.c1'],
    ],
    [
      'Customer area code,Main area',
      [createField('a', 'Area'), createField('ac', 'Area code')],
      ['custom_fields.ac', 'custom_fields.a'],
    ],
    [
      'Notes,Email opt-in',
      [createField('notes', 'Notes'), createField('optin', 'Email opt-in')],
      ['custom_fields.notes', 'custom_fields.optin'],
    ],
  ])('finds the custom fields of %s', (headers, customFields, fields) => {
    const proposals = proposeFile(`Full name,${headers}`, { customFields }).slice(1)
    expect(proposals.map(({ target }) => target)).toEqual(
      fields.map((each) => ({ kind: 'people', field: each })),
    )
  })

  test.each([
    ...['Email Status', 'Phone Type', 'Email Domain', 'Email Verified', 'Email Type', 'E-mail Display Name'],
    ...[
      'Status do e-mail',
      'Tipo de telefone',
      'E-mail verificado',
      'Address - Type',
      'Email Address Status',
    ],
  ])('leaves %s out, which says something about an address', (header) => {
    expect(proposeFile(`Name,${header}\nA,x@x.example`, { customFields: [ADDRESS] })[1]).toMatchObject({
      target: null,
      reason: { code: 'describes', header },
    })
  })

  test.each([
    ...[
      'Email Opt Out',
      'email_opt_out',
      'HasOptedOutOfEmail',
      'Unsubscribed',
      'Do Not Call',
      'Marketing contact status',
    ],
    ...[
      'Base legal para comunicação',
      'Consentimento LGPD',
      'Aceita receber e-mail',
      'OPTIN_IP',
      'Não ligar',
    ],
  ])('keeps %s as a custom field', (header) => {
    for (const value of ['No', 'a@x.example', ''])
      expect(proposeFile(`Name,${header}\nA,${value}`)[1]).toMatchObject({
        target: { kind: 'people', field: 'new_custom_field', type: 'text', label: header },
        reason: { code: 'consent', header },
      })
  })

  test.each([
    ...['Last email date', 'Emails sent', 'Manager email', 'Assistant’s Phone', 'IP Address', 'Phone ext.'],
    ...['Telefone do responsável', 'Responsável financeiro', 'Owner assigned date', 'Phone country code'],
  ])('takes %s for no address, number or owner', (header) => {
    expect(
      describeFile(`Name,${header},E-mail\nA,m@x.example,a@x.example`, { customFields: [ADDRESS] })[1],
    ).toBe('new people text')
  })

  test('with a label within it is no custom field if it speaks of e-mail or phones', () => {
    const customFields = [createField('phone', 'Phone'), createField('area', 'Area')]
    expect(describeFile('Name,Phone ext.,Main area\nA,12,South', { customFields }).slice(1)).toEqual([
      'new people text',
      'people custom_fields.area',
    ])
  })
})
