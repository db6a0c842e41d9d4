import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { catchFieldErrors } from '../../test/harness.ts'
import { validate } from '../engine/validate.ts'
import { people } from '../schema/person.ts'
import { color, email, flag, httpsUrl, httpUrl, integer, key, oneOf, uuid } from './field-schemas.ts'
import { listOf, object } from './object-schemas.ts'

function read(schema: v.GenericSchema, value: unknown): unknown {
  return (validate(object({ value: schema }), { value }) as { value: unknown }).value
}

async function fault(schema: v.GenericSchema, value: unknown): Promise<string | undefined> {
  return (await catchFieldErrors(() => read(schema, value)))['value']
}

describe('an integer', () => {
  const amount = integer(0, 1e15)

  test.each([0, 1, 1e15, 1e3])('can be %d', (value) => {
    expect(read(amount, value)).toBe(value)
  })

  test('is never minus zero', () => {
    expect(Object.is(read(amount, -0), 0)).toBe(true)
  })

  test.each([
    ['1'],
    [1.5],
    [1e15 + 0.4],
    [1e15 + 1],
    [-1],
    [Number('1e400')],
    [Number.NaN],
    [true],
    [[1]],
    [10n],
  ])('cannot be %s', async (value) => {
    expect(await fault(amount, value)).toBe('Must be an integer between 0 and 1000000000000000.')
  })
})

describe('an id', () => {
  test('is a UUID of any version, converted to lower case', () => {
    expect(read(uuid, '0198C0DE-0000-7000-8000-00000000000A')).toBe('0198c0de-0000-7000-8000-00000000000a')
    expect(read(uuid, '00000000-0000-0000-0000-000000000000')).toBe('00000000-0000-0000-0000-000000000000')
  })

  test.each([
    '',
    'x',
    '0198c0de00007000800000000000000a',
    '{0198c0de-0000-7000-8000-00000000000a}',
    ' 0198c0de-0000-7000-8000-00000000000a',
    '0198c0de-0000-7000-8000-00000000000a\n',
    '0198c0de-0000-7000-8000-00000000000g',
  ])('cannot be %j', async (value) => {
    expect(await fault(uuid, value)).toBe('Must be a UUID.')
  })
})

describe('an e-mail address', () => {
  test.each([
    'a@b.co',
    'first.last+tag@sub.example.com',
    "o'hara@example.com",
    'A@EXAMPLE.COM',
    `${'a'.repeat(64)}@example.com`,
  ])('can be %s', (value) => {
    expect(read(email, value)).toBe(value)
  })

  test('is trimmed', () => {
    expect(read(email, ' a@b.co ')).toBe('a@b.co')
  })

  test.each([
    '',
    ' ',
    'a',
    'a@',
    '@b.co',
    'a@b',
    'a b@c.co',
    'a@b..co',
    'a@-b.co',
    'a@b-.co',
    'a@b.co.',
    'a@b@c.co',
    'ä b@c.co',
    '\u3000@b.co',
    'a@ä',
    'a@-ä.co',
    'a@b_c.co',
    'Ann <a@b.co>',
    'a@[127.0.0.1]',
  ])('cannot be %s', async (value) => {
    expect(await fault(email, value)).toBe('Must be an e-mail address.')
  })

  test.each([
    ['a@bücher.example', 'Write an internationalized domain in its ASCII form (xn--…).'],
    ['a@例え.テスト', 'Write an internationalized domain in its ASCII form (xn--…).'],
    ['ä@b.co', 'Must have only ASCII characters before the @.'],
    ['josé.silva@bücher.example', 'Must have only ASCII characters before the @.'],
  ])('cannot be %s, for a reason of its own', async (value, rule) => {
    expect(await fault(email, value)).toBe(rule)
    expect(read(email, 'a@xn--bcher-kva.example')).toBe('a@xn--bcher-kva.example')
  })

  test('has at most 254 characters', async () => {
    const domain = `${'b'.repeat(60)}.`.repeat(3)
    expect(read(email, `${'a'.repeat(64)}@${domain}bbb.co`)).toHaveLength(254)
    expect(await fault(email, `${'a'.repeat(64)}@${domain}bbbb.co`)).toBe('Must be at most 254 characters.')
  })

  test('has at most 64 characters before the @, and 63 between dots after it', async () => {
    expect(read(email, `${'a'.repeat(64)}@${'b'.repeat(63)}.co`)).toHaveLength(131)
    expect(await fault(email, `${'a'.repeat(65)}@b.co`)).toBe('Must be an e-mail address.')
    expect(await fault(email, `a@${'b'.repeat(64)}.co`)).toBe('Must be an e-mail address.')
  })

  test('is unambiguous for mail servers and programs, for any input', () => {
    const long = 'x'.repeat(62)
    const local = fc.string({ unit: fc.constantFrom(...'a9.+@ "\\<>(),;:\n\0é', long), maxLength: 3 })
    const label = fc.string({ unit: fc.constantFrom(...'aZ-_.', long), maxLength: 3 })
    const texts = fc.oneof(
      fc.emailAddress(),
      local.map((text) => `${text}@b.co`),
      label.map((text) => `a@${text}.co`),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(texts, (given) => {
        const { success, output } = v.safeParse(email, given)
        if (!success) return
        const [mailbox = '', domain = '', ...more] = output.split('@')
        expect(more).toEqual([])
        expect(output.length).toBeLessThanOrEqual(254)
        expect(mailbox).toMatch(/^[!-~]{1,64}$/)
        expect(mailbox).not.toMatch(/[\\"(),:;<>[\]]/)
        expect(domain.split('.').length).toBeGreaterThanOrEqual(2)
        for (const name of domain.split('.')) expect(name).toMatch(/^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/)
      }),
    )
  })
})

describe('a URL', () => {
  test.each([' ', '', 'example.com', 'ftp://example.com', '//a.co', 'https://a.co/<b>'])(
    'cannot be %j',
    async (value) => {
      expect(await fault(httpUrl, value)).toBe('Must be an http or https URL.')
      expect(await fault(httpsUrl, value)).toBe('Must be an https URL.')
    },
  )

  test('of an image is https', async () => {
    expect(read(httpsUrl, 'https://a.co/x.png')).toBe('https://a.co/x.png')
    expect(await fault(httpsUrl, 'http://a.co/x.png')).toBe('Must be an https URL.')
  })

  test.each([
    ['https://a.co/?x=a|b', 'https://a.co/?x=a%7Cb'],
    ['https://a.co/{id}?x=`^`', 'https://a.co/%7Bid%7D?x=%60%5E%60'],
  ])('with the characters that browsers leave unencoded is encoded: %s', (given, stored) => {
    expect(read(httpUrl, given)).toBe(stored)
    expect(read(httpsUrl, given)).toBe(stored)
  })

  test('has at most 2048 characters, also once it is encoded', async () => {
    expect(await fault(httpUrl, `http://a.co/${'|'.repeat(700)}`)).toBe('Must be at most 2048 characters.')
    expect(read(httpUrl, `http://a.co/${'x'.repeat(2036)}`)).toHaveLength(2048)
    expect(await fault(httpUrl, `http://a.co/${'x'.repeat(2037)}`)).toBe('Must be at most 2048 characters.')
  })
})

describe('a color', () => {
  test('is six hex digits, converted to lower case', () => {
    expect(read(color, '#6B72fF')).toBe('#6b72ff')
  })

  test.each(['', 'red', '#fff', '6b7280', '#6b728g', '#6b728000', '#6b7280\n'])(
    'cannot be %j',
    async (value) => {
      expect(await fault(color, value)).toBe('Must be a hex color such as #6b7280.')
    },
  )
})

describe('a key', () => {
  test.each([
    ['call_back_2', 'call_back_2'],
    ['Call', 'call'],
    [' call ', 'call'],
    ['0', '0'],
    ['x'.repeat(35), 'x'.repeat(35)],
  ])('%j is stored as %s', (sent, kept) => {
    expect(read(key, sent)).toBe(kept)
  })

  test.each(['', ' ', '_call', 'call_', 'call__back', 'call-back', 'call back', 'ção'])(
    'cannot be %j',
    async (value) => {
      expect(await fault(key, value)).toBe(
        'Must be lower-case letters and digits, joined by single underscores.',
      )
    },
  )

  test('has at most 35 characters', async () => {
    expect(await fault(key, 'x'.repeat(36))).toBe('Must be at most 35 characters.')
  })
})

describe('phones and e-mails', () => {
  const emails = people.fields.emails.type.input
  const phones = people.fields.phones.type.input

  test('have a type, with a default', () => {
    expect(
      read(phones, [
        { phone: ' +55 (11) 9.9999-0000 ' },
        { phone: '190', type: 'home' },
        { phone: '191', type: null },
      ]),
    ).toEqual([
      { phone: '+55 (11) 9.9999-0000', type: 'mobile' },
      { phone: '190', type: 'home' },
      { phone: '191', type: 'mobile' },
    ])
    expect(read(emails, [{ email: 'A@b.co' }, { email: 'c@d.co', type: 'other' }])).toEqual([
      { email: 'A@b.co', type: 'work' },
      { email: 'c@d.co', type: 'other' },
    ])
  })

  test.each([
    ['12', 'Must be between 3 and 30 characters.'],
    ['1'.repeat(31), 'Must be between 3 and 30 characters.'],
    ['', 'Required.'],
    ['12a', 'Must hold only digits, spaces and + - . ( ).'],
    ['１２３', 'Must hold only digits, spaces and + - . ( ).'],
    [12345, 'Must be a string.'],
  ])('%j is not a phone number', async (phone, message) => {
    expect(await catchFieldErrors(() => read(phones, [{ phone }]))).toEqual({ 'value[0].phone': message })
  })

  test('have at most twenty entries', async () => {
    const twenty = Array.from({ length: 20 }, (_, index) => ({ phone: `${190 + index}` }))
    expect(read(phones, twenty)).toHaveLength(20)
    expect(await fault(phones, [...twenty, { phone: '190' }])).toBe('Must have at most 20 entries.')
    expect(await fault(phones, { 0: { phone: '190' } })).toBe('Must be an array.')
  })

  test('reject an unknown type', async () => {
    expect(await catchFieldErrors(() => read(phones, [{ phone: '190', type: 'fax' }]))).toEqual({
      'value[0].type': 'Must be one of: mobile, work, home, other.',
    })
    expect(await catchFieldErrors(() => read(emails, [{ email: 'a@b.co', type: 'mobile' }]))).toEqual({
      'value[0].type': 'Must be one of: work, home, other.',
    })
  })
})

test.each(['toString', '__proto__', 'HIGH', '', ' high', 0])(
  '%j is not one of the options',
  async (value) => {
    expect(await fault(oneOf(['high', 'low']), value)).toBe('Must be one of: high, low.')
  },
)

test.each([0, 'true', 'false', [], {}])('%j is not a boolean', async (value) => {
  expect(await fault(flag, value)).toBe('Must be true or false.')
})

test('a list with a lower bound reports both bounds', async () => {
  expect(await fault(listOf(uuid, 1, 2, 'ids'), [])).toBe('Must have between 1 and 2 ids.')
})
