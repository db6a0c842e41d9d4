import { expect, test } from 'vitest'
import { secrets } from '../../../test/harness.ts'
import { webhookSecretCache } from './secret-cache.ts'
import { secretContext } from './webhook.ts'

test('a secret stays open until a thousand others were opened since', () => {
  let opened = 0
  const open: typeof secrets.open = (sealed, context) => {
    opened += 1
    return secrets.open(sealed, context)
  }
  const keys = webhookSecretCache({ ...secrets, open })
  const keyOf = (id: string) =>
    keys('w', id, secrets.seal(new TextEncoder().encode(`whsec_${id}`), secretContext('w', id)))
  for (let nth = 0; nth < 1000; nth += 1) expect(keyOf(String(nth))).toBe(`whsec_${nth}`)
  keyOf('0')
  expect(opened).toBe(1000)
  keyOf('1000')
  keyOf('1')
  expect(opened).toBe(1001)
  keyOf('0')
  expect(opened).toBe(1002)
})
