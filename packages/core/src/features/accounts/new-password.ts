import { validationError } from '../../kernel/errors.ts'
import type { Passwords } from '../../ports/crypto.ts'

/** Shorter parts of an address, such as `ed`, occur in good passwords. */
const MIN_PART_LENGTH = 3
/** Letters and digits that a password must have besides the parts of the address: more than a year. */
const MIN_OWN_CHARACTERS = 5

/**
 * Rejects passwords that are guessed first.
 * @param field the field of the error
 * @throws CrmError `validation_error`
 */
export async function checkNewPassword(
  passwords: Pick<Passwords, 'isCommon'>,
  field: string,
  password: string,
  email: string,
): Promise<void> {
  if (isMadeOfEmail(password, email))
    throw validationError({ [field]: 'Must not be made of the e-mail address.' })
  if (await passwords.isCommon(password))
    throw validationError({ [field]: 'Must not be one of the most common passwords.' })
}

export function isMadeOfEmail(password: string, email: string): boolean {
  const parts = email
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part.length >= MIN_PART_LENGTH)
    .sort((a, b) => b.length - a.length)
  const text = password.toLowerCase()
  const rest = parts.reduce((remaining, part) => remaining.replaceAll(part, ' '), text)
  const ownCharacters = rest.match(/[\p{L}\p{N}]/gu) ?? []
  return rest !== text && ownCharacters.length < MIN_OWN_CHARACTERS
}
