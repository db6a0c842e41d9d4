import { expect, test } from 'vitest'
import { secrets } from '../../../test/harness.ts'
import { webhookSecretCache } from './secret-cache.ts'
import { secretContext } from './webhook.ts'

test('the cache holds the thousand secrets opened last', () => {
  let openCount = 0
  const open: typeof secrets.open = (sealed, context) => {
    openCount += 1
    return secrets.open(sealed, context)
  }
  const getSecret = webhookSecretCache({ ...secrets, open })
  const getSecretOf = (id: string) =>
    getSecret('w', id, secrets.seal(new TextEncoder().encode(`whsec_${id}`), secretContext('w', id)))
  for (let nth = 0; nth < 1000; nth += 1) expect(getSecretOf(String(nth))).toBe(`whsec_${nth}`)
  getSecretOf('0')
  expect(openCount).toBe(1000)
  getSecretOf('1000')
  getSecretOf('1')
  expect(openCount).toBe(1001)
  getSecretOf('0')
  expect(openCount).toBe(1002)
})
