/** A host name or address with an optional port, and no character that changes how a URL is parsed. */
const HOST = /^[\w.:[\]-]+$/
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/

type Header = (name: string) => string | undefined

/**
 * Creates a check against requests that a page of another site made a browser send. The check names the
 * header that shows it: an `Origin` other than the service's own, or, for a service on the loopback
 * interface, a `Host` that only DNS rebinding can have produced.
 * @param host address the service listens on, if known
 */
export function createOriginCheck(
  issuer: string,
  host: string | undefined,
): (header: Header) => 'Host' | 'Origin' | undefined {
  const publicUrl = new URL(issuer)
  const isLocal = LOOPBACK.test(publicUrl.hostname) || (host !== undefined && LOOPBACK.test(host))

  return (header) => {
    if (isLocal && !isOwnHost(header('Host'))) return 'Host'
    return isOwnOrigin(header('Origin')) ? undefined : 'Origin'
  }

  function isOwnHost(host: string | undefined): boolean {
    if (host === undefined) return true
    const hostname = HOST.test(host) ? URL.parse(`http://${host}`)?.hostname : undefined
    return hostname !== undefined && (hostname === publicUrl.hostname || LOOPBACK.test(hostname))
  }

  function isOwnOrigin(originHeader: string | undefined): boolean {
    if (originHeader === undefined || originHeader === publicUrl.origin) return true
    const origin = URL.parse(originHeader)
    const isLoopback = LOOPBACK.test(publicUrl.hostname) && origin !== null && LOOPBACK.test(origin.hostname)
    return (
      isLoopback &&
      origin.origin === originHeader &&
      origin.protocol === publicUrl.protocol &&
      origin.port === publicUrl.port
    )
  }
}
