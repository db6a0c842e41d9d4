import type { Passwords } from '../ports.ts'

/** No password is longer, so that nothing longer is worth the work. */
const LONGEST = 200

/** Whether a password is the one behind the hash. Null is the hash of someone who has no password, or of nobody. */
export type PasswordCheck = (password: string, hash: string | null) => Promise<boolean>

/** A check that takes the same work where there is no hash, so that its time does not tell who has an account. */
export function passwordCheck(passwords: Passwords): PasswordCheck {
  let decoy: string | undefined
  return async (password, hash) => {
    if (password.length > LONGEST) return false
    decoy ??= await passwords.hash('decoy')
    const matches = await passwords.verify(password, hash ?? decoy)
    return matches && hash !== null
  }
}
