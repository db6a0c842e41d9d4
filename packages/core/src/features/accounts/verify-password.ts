import type { Passwords } from '../../ports/crypto.ts'
import { MAX_PASSWORD_LENGTH } from './user.ts'

/** Verifies a password. The hash is null for a user without a password and for an unknown user. */
export type VerifyPassword = (password: string, hash: string | null) => Promise<boolean>

/** Does the same work for a null hash, so that the time does not reveal which accounts exist. */
export function passwordVerifier(passwords: Passwords): VerifyPassword {
  let decoyHash: string | undefined
  return async (password, hash) => {
    if (password.length > MAX_PASSWORD_LENGTH) return false
    decoyHash ??= await passwords.hash('decoy')
    const isMatch = await passwords.verify(password, hash ?? decoyHash)
    return isMatch && hash !== null
  }
}
