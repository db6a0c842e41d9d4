/**
 * The path prefix of the service's links, without a trailing slash: the path of `BASE_URL`, usually empty.
 */
export function basePathOf(issuer: string): string {
  return new URL(issuer).pathname.replace(/\/+$/, '')
}
