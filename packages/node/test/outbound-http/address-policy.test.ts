import { describe, expect, test } from 'vitest'
import { addressPolicy, parseCidr } from '../../src/outbound-http/address-policy.ts'

/** Forbidden ranges with their first and last address, and the adjacent addresses if those are public. */
const BOUNDARIES: readonly (readonly [
  range: string,
  before: string | null,
  first: string,
  last: string,
  after: string | null,
])[] = [
  ['0.0.0.0/8', null, '0.0.0.0', '0.255.255.255', '1.0.0.0'],
  ['10.0.0.0/8', '9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0'],
  ['100.64.0.0/10', '100.63.255.255', '100.64.0.0', '100.127.255.255', '100.128.0.0'],
  ['127.0.0.0/8', '126.255.255.255', '127.0.0.0', '127.255.255.255', '128.0.0.0'],
  ['169.254.0.0/16', '169.253.255.255', '169.254.0.0', '169.254.255.255', '169.255.0.0'],
  ['172.16.0.0/12', '172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0'],
  ['192.0.0.0/24', '191.255.255.255', '192.0.0.0', '192.0.0.255', '192.0.1.0'],
  ['192.0.2.0/24', '192.0.1.255', '192.0.2.0', '192.0.2.255', '192.0.3.0'],
  ['192.88.99.0/24', '192.88.98.255', '192.88.99.0', '192.88.99.255', '192.88.100.0'],
  ['192.168.0.0/16', '192.167.255.255', '192.168.0.0', '192.168.255.255', '192.169.0.0'],
  ['198.18.0.0/15', '198.17.255.255', '198.18.0.0', '198.19.255.255', '198.20.0.0'],
  ['198.51.100.0/24', '198.51.99.255', '198.51.100.0', '198.51.100.255', '198.51.101.0'],
  ['203.0.113.0/24', '203.0.112.255', '203.0.113.0', '203.0.113.255', '203.0.114.0'],
  ['224.0.0.0/4', '223.255.255.255', '224.0.0.0', '239.255.255.255', null],
  ['240.0.0.0/4', null, '240.0.0.0', '255.255.255.255', null],
  ['unspecified', null, '::', '::', null],
  ['loopback', null, '::1', '::1', null],
  ['IPv4-compatible ::/96', null, '::2', '::ffff:ffff', null],
  ['IPv4-mapped ::ffff:0:0/96', null, '::ffff:0.0.0.0', '::ffff:255.255.255.255', null],
  ['IPv4-translated ::ffff:0:0:0/96', null, '::ffff:0:0:0', '::ffff:0:ffff:ffff', null],
  ['NAT64 64:ff9b::/96', null, '64:ff9b::', '64:ff9b::ffff:ffff', null],
  ['local NAT64 64:ff9b:1::/48', null, '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', null],
  ['discard 100::/64', null, '100::', '100::ffff:ffff:ffff:ffff', null],
  ['below global unicast', null, '100:0:0:1::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2000::'],
  [
    'Teredo 2001::/32',
    '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001::',
    '2001:0:ffff:ffff:ffff:ffff:ffff:ffff',
    null,
  ],
  ['benchmarking 2001:2::/48', null, '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff', null],
  ['ORCHID 2001:10::/28', null, '2001:10::', '2001:1f:ffff:ffff:ffff:ffff:ffff:ffff', null],
  [
    'protocol assignments 2001::/23',
    null,
    '2001:1::',
    '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:200::',
  ],
  [
    'documentation 2001:db8::/32',
    '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db8::',
    '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db9::',
  ],
  [
    '6to4 2002::/16',
    '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2002::',
    '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2003::',
  ],
  [
    'documentation 3fff::/20',
    '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '3fff::',
    '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff',
    '3fff:1000::',
  ],
  [
    'above global unicast',
    '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '4000::',
    '5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    null,
  ],
  ['segment routing 5f00::/16', null, '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null],
  ['unique local fc00::/7', null, 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null],
  ['link-local fe80::/10', null, 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null],
  ['site-local fec0::/10', null, 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null],
  ['multicast ff00::/8', null, 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null],
]

describe('the default address policy', () => {
  const { allows } = addressPolicy({})

  test.each(BOUNDARIES)(
    'rejects %s and allows the adjacent public addresses',
    (_range, before, first, last, after) => {
      expect([first, last].map(allows)).toEqual([false, false])
      const neighbours = [before, after].filter((address) => address !== null)
      expect(neighbours.filter((address) => !allows(address))).toEqual([])
    },
  )

  test.each([
    ['a cloud metadata service', '169.254.169.254'],
    ['its mapped form', '::ffff:169.254.169.254'],
    ['its mapped form in hexadecimal', '::ffff:a9fe:a9fe'],
    ['its compatible form', '::169.254.169.254'],
    ['its form translated by RFC 2765', '::ffff:0:169.254.169.254'],
    ['its NAT64 form', '64:ff9b::169.254.169.254'],
    ['its local NAT64 form', '64:ff9b:1::169.254.169.254'],
    ['its 6to4 form', '2002:a9fe:a9fe::1'],
    ['its Teredo form', '2001:0:a9fe:a9fe::5601:5601'],
    ['a metadata service over IPv6', 'fd00:ec2::254'],
    ['a mapped public address', '::ffff:8.8.8.8'],
    ['a public address with a zone', '2606:4700::1111%1'],
    ['a link-local address with a zone', 'fe80::1%eth0'],
    ['a short form', '127.1'],
    ['an octal form', '0177.0.0.1'],
    ['a hexadecimal form', '0x7f.0.0.1'],
    ['a number', '134744072'],
    ['a leading zero', '08.8.8.8'],
    ['a trailing dot', '8.8.8.8.'],
    ['brackets', '[2606:4700::1111]'],
    ['a host name', 'public.test'],
    ['an empty string', ''],
  ])('rejects %s: %s', (_description, ip) => {
    expect(allows(ip)).toBe(false)
  })

  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '192.0.1.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001::200e',
    '2A00:1450:4001::200E',
  ])('allows %s', (ip) => {
    expect(allows(ip)).toBe(true)
  })
})

describe('an address policy', () => {
  test('allows public addresses and its own ranges, each in its own family', () => {
    const { allows } = addressPolicy({ allowPrivate: false, allowCidrs: ['10.1.0.0/16', 'fd12:3456::/32'] })
    expect(['8.8.8.8', '10.1.0.0', '10.1.255.255', 'fd12:3456::1'].map(allows)).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect(
      ['10.0.255.255', '10.2.0.0', '::ffff:10.1.0.1', 'fd12:3457::1', '127.0.0.1'].filter(allows),
    ).toEqual([])
  })

  test('allows no private address without ranges', () => {
    expect(addressPolicy({ allowPrivate: false, allowCidrs: [] }).allows('10.0.0.1')).toBe(false)
  })

  test('discloses public addresses only, unless every address is allowed', () => {
    const restricted = addressPolicy({ allowCidrs: ['10.1.0.0/16'] })
    expect(['8.8.8.8', '10.1.2.3', '10.9.9.9', 'x'].map(restricted.isDisclosable)).toEqual([
      ...[true, false, false, false],
    ])
    const open = addressPolicy({ allowPrivate: true })
    expect(['8.8.8.8', '10.1.2.3', '127.1'].map(open.isDisclosable)).toEqual([true, true, false])
  })

  test('allows every address with allowPrivate, but no text that is not an address', () => {
    const { allows } = addressPolicy({ allowPrivate: true, allowCidrs: [] })
    expect(['127.0.0.1', '::1', '169.254.169.254', '8.8.8.8'].map(allows)).toEqual([true, true, true, true])
    expect(['127.1', 'localhost', 'fe80::1%eth0', ''].filter(allows)).toEqual([])
  })

  test.each([
    '10.0.0.0/8',
    '10.20.30.40/32',
    '0.0.0.0/0',
    'fd00::/8',
    'FD00::/8',
    '::1/128',
    '::ffff:10.0.0.0/104',
  ])('accepts the range %s', (text) => {
    expect(() => parseCidr(text)).not.toThrow()
  })

  test.each([
    '',
    '10.0.0.0',
    '10/8',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '010.0.0.0/8',
    '0xa.0.0.0/8',
    'fd00::/129',
    'fe80::1%1/64',
    ' 10.0.0.0/8',
    'lan/8',
    '10.0.0.0/8/8',
  ])('rejects an invalid range and quotes it: "%s"', (text) => {
    const message =
      `"${text}" is no address range. ` +
      'Write it as an address and a prefix length, such as 10.0.0.0/8 or fd00::/8.'
    expect(() => addressPolicy({ allowPrivate: false, allowCidrs: ['10.0.0.0/8', text] })).toThrow(message)
  })
})
