/** A name or an address, and a port: nothing by which a URL would mean another. */
const HOST = /^[\w.:[\]-]+$/
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/

type Header = (name: string) => string | undefined

/**
 * Names the header by which a browser shows that a page of somebody else's sent it: an `Origin` that is not the service's own, or,
 * where the service is reached on the machine itself, a `Host` that only a forged DNS answer can have led here.
 * @param host the address the service listens on, where it is known
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
