import { expect, test } from 'vitest'
import { clientAddress } from '../../src/http/client-address.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  [undefined, 'local'],
])('normalizes the peer address %s to %s', (peer, address) => {
  expect(clientAddress(peer, undefined, 0)).toBe(address)
})

test.each([
  ['no proxy is trusted', '198.51.100.1', 0, '192.0.2.7'],
  ['the header is missing', undefined, 1, '192.0.2.7'],
  ['one proxy is trusted', '203.0.113.9, 198.51.100.1', 1, '198.51.100.1'],
  ['two proxies are trusted', '203.0.113.9, 198.51.100.1', 2, '203.0.113.9'],
  ['the header lists fewer addresses than trusted proxies', '198.51.100.1', 3, '198.51.100.1'],
  ['the header includes a port', '198.51.100.1:4711', 1, '198.51.100.1'],
  ['the header includes an IPv6 address with a port', '[2001:db8:1:2::9]:4711', 1, '2001:db8:1:2::/64'],
  ['the trusted entry is not an address', '198.51.100.1, unknown', 1, '192.0.2.7'],
  ['the header is empty', '', 1, '192.0.2.7'],
])('returns the client address when %s', (_, forwarded, trustProxy, address) => {
  expect(clientAddress('192.0.2.7', forwarded, trustProxy)).toBe(address)
})
