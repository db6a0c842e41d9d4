import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressPolicy, type OutboundOptions } from '../../src/outbound-http/address-policy.ts'
import { parseOutboundUrl } from '../../src/outbound-http/outbound-url.ts'

/** Returns a function for the rule that a URL violates, if any. */
function createValidator(options: OutboundOptions): (url: string) => string | undefined {
  const policy = addressPolicy(options)
  return (url) => {
    const target = parseOutboundUrl(url, policy)
    return 'error' in target ? target.error : undefined
  }
}

const validateUrl = createValidator({ allowPrivate: false, allowCidrs: [] })
const validateInDevelopment = createValidator({ allowPrivate: true, allowCidrs: [] })

const NOT_HTTPS = 'Must be an https URL.'
const USER_INFO = 'Must not contain a user name or password.'
const FRAGMENT = 'Must not contain a fragment.'
const TOO_LONG = 'Must have a host name of at most 253 characters.'
const MALFORMED = 'Must have a valid host name.'
const BAD_PORT = 'Must have a port between 1 and 65535.'
const NOT_PUBLIC = 'Must be a public address.'

const LONGEST_HOST = `${'a.'.repeat(125)}com`

describe('an outbound URL', () => {
  test.each([
    'https://hooks.example.com',
    'https://hooks.example.com:8443/in?a=1',
    'HTTPS://HOOKS.EXAMPLE.COM',
    'https://hooks.example.com./',
    'https://xn--bcher-kva.example/',
    'https://bücher.example/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]:444/',
    'https://local.example/',
    'https://mylocalhost.example/',
    `https://${LONGEST_HOST}/`,
    `https://${'a'.repeat(63)}.example/`,
    'https://my_hooks._a.example/',
    'https://3a--b.example:1/',
    'https://hooks.example.com:/',
  ])('may be %s', (url) => {
    expect(validateUrl(url)).toBeUndefined()
  })

  test.each([
    ['', NOT_HTTPS],
    ['hooks.example.com', NOT_HTTPS],
    ['//hooks.example.com', NOT_HTTPS],
    ['http://hooks.example.com', NOT_HTTPS],
    ['ftp://hooks.example.com', NOT_HTTPS],
    ['file:///etc/passwd', NOT_HTTPS],
    ['data:image/png;base64,AAAA', NOT_HTTPS],
    ['javascript:alert(1)', NOT_HTTPS],
    ['blob:https://hooks.example.com/1', NOT_HTTPS],
    ['https://', NOT_HTTPS],
    ['https://?', NOT_HTTPS],
    ['https://256.1.1.1/', NOT_HTTPS],
    ['https://[fe80::1%25eth0]/', NOT_HTTPS],
    ['https://hooks.example.com:65536/', NOT_HTTPS],
    ['https://user@hooks.example.com', USER_INFO],
    ['https://:password@hooks.example.com', USER_INFO],
    ['https://hooks.example.com@127.0.0.1/', USER_INFO],
    ['https://hooks.example.com/#top', FRAGMENT],
    ['https://hooks.example.com/#', FRAGMENT],
    [`https://${LONGEST_HOST}m/`, TOO_LONG],
    ['https://a..example/', MALFORMED],
    ['https://a...example./', MALFORMED],
    ['https://a。.example/', MALFORMED],
    ['https://.example/', MALFORMED],
    ['https://.internal/', MALFORMED],
    ['https://./', MALFORMED],
    [`https://${'a'.repeat(64)}.example/`, MALFORMED],
    [`https://b.${'a'.repeat(64)}/`, MALFORMED],
    ['https://a"onclick=x/', MALFORMED],
    ['https://a"onclick=x.example/', MALFORMED],
    ["https://a'b.example/", MALFORMED],
    ['https://a&b.example/', MALFORMED],
    ['https://a,b.example/', MALFORMED],
    ['https://a*.example/', MALFORMED],
    ['https://{a}.example/', MALFORMED],
    ['https://-a.example/', MALFORMED],
    ['https://a.b-/', MALFORMED],
    ['https://\u{ff02}.example/', MALFORMED],
    ['https://hooks.example.com:0/', BAD_PORT],
    ['https://hooks.example.com:00000/', BAD_PORT],
  ])('is rejected for its form: %s', (url, error) => {
    expect(validateUrl(url)).toBe(error)
    expect(validateInDevelopment(url)).toBe(error)
  })

  test.each([
    ...['localhost', 'LOCALHOST', 'localhost.', 'localhost..', 'intranet', 'intranet.', 'com'],
    ...[
      'api.localhost',
      'printer.local',
      'printer.local.',
      'db.internal',
      'router.home.arpa',
      '1.0.0.127.in-addr.arpa',
    ],
    ...['metadata.google.internal', 'ｌｏｃａｌｈｏｓｔ', 'loc%61lhost', 'loc\tal\nhost'],
  ])('is rejected for a local name outside development: %s', (host) => {
    expect(validateUrl(`https://${host}/`)).toBe(NOT_PUBLIC)
    expect(validateInDevelopment(`https://${host}/`)).toBeUndefined()
  })

  test.each([
    ...[
      '127.0.0.1',
      '127.1',
      '127.0.1',
      '2130706433',
      '0x7f000001',
      '0x7f.1',
      '0X7F.0.0.1',
      '017700000001',
      '0177.0.0.1',
      '00000177.1',
    ],
    ...[
      '127.0.0.1.',
      '127.0.0.0x1',
      '%31%32%37.0.0.1',
      '①②⑦.⓪.⓪.①',
      '１２７.0.0.1',
      '127。0。0。1',
      '127．0｡0。1',
      '1\t27.0.\n0.1',
    ],
    ...[
      '0',
      '0.0.0.0',
      '0x0',
      '0x',
      '0300.0250.0.1',
      '3232235521',
      '0xc0.0xa8.1',
      '169.254.169.254',
      '2852039166',
      '0xa9fea9fe',
    ],
    ...[
      '10.0.0.1',
      '100.64.0.1',
      '172.16.0.1',
      '192.0.0.192',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '4294967295',
    ],
    ...[
      '[::]',
      '[::1]',
      '[0:0:0:0:0:0:0:1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '[::ffff:0:127.0.0.1]',
    ],
    ...[
      '[64:ff9b::127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[64:ff9b:1::10.0.0.1]',
      '[2002:7f00:1::]',
      '[2002:a00:1::1]',
      '[2001:0:7f00:1::80ff:fffe]',
    ],
    ...[
      '[fc00::1]',
      '[fd00:ec2::254]',
      '[fe80::1]',
      '[fec0::1]',
      '[ff02::1]',
      '[100::1]',
      '[2001:db8::1]',
      '[3fff::1]',
      '[5f00::1]',
    ],
  ])('is rejected for a non-public address outside development: %s', (host) => {
    expect(validateUrl(`https://${host}/`)).toBe(NOT_PUBLIC)
    expect(validateInDevelopment(`https://${host}/`)).toBeUndefined()
  })

  test('may be in an allowed non-public range', () => {
    const validateInRange = createValidator({ allowPrivate: false, allowCidrs: ['10.1.0.0/16'] })
    expect(validateInRange('https://10.1.2.3/')).toBeUndefined()
    expect(validateInRange('https://0xa010203/')).toBeUndefined()
    expect(validateInRange('https://10.2.0.1/')).toBe(NOT_PUBLIC)
    expect(validateInRange('https://n8n.internal/')).toBeUndefined()
  })
})

/** The first and last address of each forbidden IPv4 range, as numbers. */
const FORBIDDEN = [
  ...[
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
  ],
  ...[
    '192.88.99.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ],
].map((cidr) => {
  const [address = '', prefix] = cidr.split('/')
  const min = address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0)
  return { min, max: min + 2 ** (32 - Number(prefix)) - 1 }
})

const forbidden = fc.constantFrom(...FORBIDDEN).chain((range) => fc.integer(range))
const partFormats = fc.constantFrom(
  (part: number) => String(part),
  (part: number) => `0x${part.toString(16)}`,
  (part: number) => `0X${part.toString(16).toUpperCase()}`,
  (part: number) => `0${part.toString(8)}`,
  (part: number) => `0000${part.toString(8)}`,
)
const separators = fc.constantFrom('.', '。', '．', '｡', '%2e')
const digitForms = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (text: string) =>
    text.replace(/[1-9]/g, (digit) => String.fromCodePoint(0x2460 + Number(digit) - 1)).replace(/0/g, '⓪'),
)

/** Splits the address into one to four parts; the last part holds all remaining octets. */
function splitAddress(address: number, parts: number): number[] {
  const octets = [24, 16, 8].slice(0, parts - 1).map((shift) => Math.floor(address / 2 ** shift) % 256)
  return [...octets, address % 2 ** (8 * (5 - parts))]
}

test('the host of an accepted URL has only letters, digits, hyphens, underscores and dots', () => {
  const host = fc.string({
    unit: fc.constantFrom(...'aé0-_."\'&;=*!(~$+,{}`', 'xn--'),
    minLength: 1,
    maxLength: 8,
  })
  fc.assert(
    fc.property(host, (name) => {
      const target = parseOutboundUrl(
        `https://${name}.example/`,
        addressPolicy({ allowPrivate: true, allowCidrs: [] }),
      )
      if ('url' in target) expect(target.url.host).toMatch(/^[a-z0-9._-]+$/)
    }),
    { numRuns: 2000 },
  )
})

describe('a forbidden IPv4 address', () => {
  test('is rejected in every notation', () => {
    fc.assert(
      fc.property(
        forbidden,
        fc.integer({ min: 1, max: 4 }),
        fc.array(partFormats, { minLength: 4, maxLength: 4 }),
        separators,
        digitForms,
        (address, count, formats, separator, convertDigits) => {
          const host = splitAddress(address, count)
            .map((part, index) => convertDigits(formats[index]!(part)))
            .join(separator)
          expect(validateUrl(`https://${host}/`)).toBe(NOT_PUBLIC)
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('is rejected in every IPv6 address that embeds it', () => {
    fc.assert(
      fc.property(forbidden, (address) => {
        const [high, low] = [Math.floor(address / 65_536).toString(16), (address % 65_536).toString(16)]
        const carriers = [
          `::${high}:${low}`,
          `::ffff:${high}:${low}`,
          `::ffff:0:${high}:${low}`,
          `64:ff9b::${high}:${low}`,
        ]
        carriers.push(`64:ff9b:1::${high}:${low}`, `2002:${high}:${low}::1`, `2001:0:${high}:${low}::1`)
        expect(carriers.filter((carrier) => validateUrl(`https://[${carrier}]/`) !== NOT_PUBLIC)).toEqual([])
      }),
    )
  })
})
