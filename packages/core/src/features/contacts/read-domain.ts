/**
 * The domain of a website, in lower case and without `www.`; undefined for a text that has none. A text without a scheme
 * is read as a domain with or without a path.
 */
export function readDomain(website: string): string | undefined {
  const host = /^(?:https?:\/\/)?(?:www\.)?([^\s/?#:@]+)/i.exec(website.trim())?.[1]
  const domain = host?.toLowerCase().replace(/\.$/, '')
  return domain?.includes('.') ? domain : undefined
}
