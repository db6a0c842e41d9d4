import type { Passwords } from '../../ports/crypto.ts'
import { MAX_PASSWORD_LENGTH } from './user.ts'

/** Whether a password is the one behind the hash. Null is the hash of someone who has no password, or of nobody. */
export type VerifyPassword = (password: string, hash: string | null) => Promise<boolean>

/** A check that takes the same work where there is no hash, so that its time does not tell who has an account. */
export function passwordVerifier(passwords: Passwords): VerifyPassword {
  let decoyHash: string | undefined
  return async (password, hash) => {
    if (password.length > MAX_PASSWORD_LENGTH) return false
    decoyHash ??= await passwords.hash('decoy')
    const isMatch = await passwords.verify(password, hash ?? decoyHash)
    return isMatch && hash !== null
  }
}
