import { describe, expect, test } from 'vitest'
import { createDeliveryWorker } from '../../../test/delivery-harness.ts'
import { ANN, secrets } from '../../../test/harness.ts'
import type { Secrets } from '../../ports/index.ts'
import { countForeignSecrets, resealSecrets } from './reseal-secrets.ts'

/** Secrets of another key: each sealed text begins with the key's name. */
function secretsOf(key: string, ...others: Secrets[]): Secrets {
  return {
    ...secrets,
    seal: (secret, context) => `${key} ${secrets.seal(secret, context)}`,
    open(sealed, context) {
      if (sealed.startsWith(`${key} `)) return secrets.open(sealed.slice(key.length + 1), context)
      const [other] = others
      if (!other) throw new Error('Sealed under another key.')
      return other.open(sealed, context)
    },
  }
}

const OLD = secretsOf('old')
const NEW = secretsOf('new')

/** A signing key, a webhook's secret and a mail, sealed under the old key. */
async function withOldSecrets() {
  const base = await createDeliveryWorker({ secrets: OLD })
  const webhook = await base.subscribe()
  await base.changeWebhook(webhook, { sealed_secret: base.sealSecret(webhook.id) })
  await base.subscribe()
  await base.crm.accounts.requestPasswordReset({ email: ANN.email }, { address: '192.0.2.1', language: 'en' })
  return { ...base, webhook }
}

describe('resealing', () => {
  test('seals every secret under the present key, once', async () => {
    const { storage } = await withOldSecrets()
    const ports = { storage, secrets: secretsOf('new', OLD) }
    expect(await countForeignSecrets(storage, NEW)).toBe(3)
    expect(await resealSecrets(ports, NEW)).toEqual({ resealed: 3, unreadable: 0 })
    expect(await countForeignSecrets(storage, NEW)).toBe(0)
    expect(await countForeignSecrets(storage, OLD)).toBe(3)
    expect(await resealSecrets(ports, NEW)).toEqual({ resealed: 0, unreadable: 0 })
  })

  test('keeps what the secrets are', async () => {
    const base = await withOldSecrets()
    const before = await base.storage.read((tx) => tx.signing_keys.find([]))
    await resealSecrets({ storage: base.storage, secrets: secretsOf('new', OLD) }, NEW)
    const [key] = await base.storage.read((tx) => tx.signing_keys.find([]))
    expect({ ...key, sealed_secret: '' }).toEqual({ ...before[0], sealed_secret: '' })
    const open = (secrets: Secrets, sealed: string) => secrets.open(sealed, `signing key ${key!.id}`)
    expect(open(NEW, key!.sealed_secret)).toEqual(open(OLD, before[0]!.sealed_secret))
  })

  test('leaves what neither key opens', async () => {
    const { storage, changeWebhook, webhook } = await withOldSecrets()
    await changeWebhook(webhook, { sealed_secret: 'lost' })
    expect(await resealSecrets({ storage, secrets: secretsOf('new', OLD) }, NEW)).toEqual({
      resealed: 2,
      unreadable: 1,
    })
    expect(await countForeignSecrets(storage, NEW)).toBe(1)
  })
})
