import type { Secrets } from '../../../ports/crypto.ts'
import type { Storage } from '../../../ports/storage.ts'
import { sealContext } from './key-ring.ts'

/**
 * Returns whether the secret key opens every stored signing key. Without a secret key, whether there are
 * none.
 */
export async function canOpenSigningKeys(
  storage: Pick<Storage, 'read'>,
  secrets: Pick<Secrets, 'open'> | undefined,
): Promise<boolean> {
  const keys = await storage.read((tx) => tx.signing_keys.find([]))
  if (!secrets) return keys.length === 0
  try {
    for (const { id, sealed_secret } of keys) secrets.open(sealed_secret, sealContext(id))
    return true
  } catch {
    return false
  }
}
