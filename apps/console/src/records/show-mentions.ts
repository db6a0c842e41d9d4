import { findMentions } from '@sales-crm/core/browser'

const MENTION = /<a [^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/gis

/**
 * Shows the mentions of sanitized HTML as parts of the text: a member has no page to go to. Other links stay.
 * @param issuer without a trailing slash
 */
export function showMentions(html: string, issuer: string, className: string): string {
  return html.replace(MENTION, (link, href: string, content: string) =>
    isMentionHref(href, issuer) ? `<span class="${className}">${content}</span>` : link,
  )
}

/** True for the address of a member, a link to which is a mention. */
export function isMentionHref(href: string, issuer: string): boolean {
  return findMentions(`href="${href}"`, issuer).length > 0
}
