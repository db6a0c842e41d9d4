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
])('a caller at %s counts as %s', (peer, address) => {
  expect(clientAddress(peer, undefined, 0)).toBe(address)
})

test.each([
  ['no proxy is trusted', '198.51.100.1', 0, '192.0.2.7'],
  ['there is no header', undefined, 1, '192.0.2.7'],
  ['one proxy is trusted', '203.0.113.9, 198.51.100.1', 1, '198.51.100.1'],
  ['two are', '203.0.113.9, 198.51.100.1', 2, '203.0.113.9'],
  ['the list is shorter than the proxies are many', '198.51.100.1', 3, '198.51.100.1'],
  ['a proxy names the port too', '198.51.100.1:4711', 1, '198.51.100.1'],
  ['a proxy names an IPv6 address with its port', '[2001:db8:1:2::9]:4711', 1, '2001:db8:1:2::/64'],
  ['what it says is no address', '198.51.100.1, unknown', 1, '192.0.2.7'],
  ['it says nothing', '', 1, '192.0.2.7'],
])('when %s, the address is told accordingly', (_, forwarded, trustProxy, address) => {
  expect(clientAddress('192.0.2.7', forwarded, trustProxy)).toBe(address)
})
