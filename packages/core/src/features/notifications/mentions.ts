const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** Maximum of members whom one note mentions. */
export const MAX_MENTIONS = 20

/**
 * The members whom sanitized HTML mentions, each once: a mention is a link to `{issuer}/members/{id}`.
 * @param issuer without a trailing slash
 */
export function findMentions(html: string, issuer: string): readonly string[] {
  const prefix = `href="${issuer}/members/`
  const ids = html.split(prefix).slice(1).map(readId)
  return [...new Set(ids.filter((id) => id !== undefined))]
}

const ID_AND_QUOTE = new RegExp(`^(${UUID})"`, 'i')

function readId(text: string): string | undefined {
  return ID_AND_QUOTE.exec(text)?.[1]?.toLowerCase()
}
