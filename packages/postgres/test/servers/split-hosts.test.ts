import { expect, test } from 'vitest'
import { splitHosts } from '../../src/servers/split-hosts.ts'

test.each([
  ['postgres://u:p@a:5432/crm', ['postgres://u:p@a:5432/crm']],
  [
    'postgres://u:p@a:5432,b:5433,[::1]/crm?sslmode=verify-full',
    [
      'postgres://u:p@a:5432/crm?sslmode=verify-full',
      'postgres://u:p@b:5433/crm?sslmode=verify-full',
      'postgres://u:p@[::1]/crm?sslmode=verify-full',
    ],
  ],
  ['postgres://a,b', ['postgres://a', 'postgres://b']],
  ['postgres://u,x:p,q@a,b/crm', ['postgres://u,x:p,q@a/crm', 'postgres://u,x:p,q@b/crm']],
  ['postgres://u:p@a/crm?options=-c%20a,b', ['postgres://u:p@a/crm?options=-c%20a,b']],
  ['postgres:///crm?host=/var/run/postgresql', ['postgres:///crm?host=/var/run/postgresql']],
])('%s', (url, urls) => {
  expect(splitHosts(url)).toEqual(urls)
})
