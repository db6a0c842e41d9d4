/**
 * The path of the service's public address, without a slash at the end: what a link of ours begins with.
 * Empty as a rule.
 */
export function basePathOf(issuer: string): string {
  return new URL(issuer).pathname.replace(/\/+$/, '')
}
