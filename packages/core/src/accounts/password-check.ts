import type { Passwords } from '../ports.ts'
import { LONGEST_PASSWORD } from './user.ts'

/** Whether a password is the one behind the hash. Null is the hash of someone who has no password, or of nobody. */
export type PasswordCheck = (password: string, hash: string | null) => Promise<boolean>

/** A check that takes the same work where there is no hash, so that its time does not tell who has an account. */
export function passwordCheck(passwords: Passwords): PasswordCheck {
  let decoy: string | undefined
  return async (password, hash) => {
    if (password.length > LONGEST_PASSWORD) return false
    decoy ??= await passwords.hash('decoy')
    const matches = await passwords.verify(password, hash ?? decoy)
    return matches && hash !== null
  }
}
