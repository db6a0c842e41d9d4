import type { Translations } from './translations/translations.ts'

interface StatusMessage {
  readonly title: string
  readonly text: string
}

/** Returns the message for a status that has one of its own. */
export function statusMessage(
  { messages, errors }: Pick<Translations, 'messages' | 'errors'>,
  status: number,
): StatusMessage | undefined {
  if (status === 403) return messages.notAllowed
  if (status === 404) return messages.notFound
  if (status === 429) return errors.tooMany
  return status >= 500 ? messages.somethingWrong : undefined
}
