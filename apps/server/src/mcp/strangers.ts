/** A name or an address, and a port: nothing by which a URL would mean another. */
const HOST = /^[\w.:[\]-]+$/
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/

type Header = (name: string) => string | undefined

/**
 * Names the header by which a browser shows that a page of somebody else's sent it: an `Origin` that is not the service's own, or,
 * where the service is reached on the machine itself, a `Host` that only a forged DNS answer can have led here.
 * @param host the address the service listens on, where it is known
 */
export function strangersTo(issuer: string, host: string | undefined): (header: Header) => 'Host' | 'Origin' | undefined {
  const own = new URL(issuer)
  const isLocal = LOOPBACK.test(own.hostname) || (host !== undefined && LOOPBACK.test(host))

  return (header) => {
    if (isLocal && !isOwnHost(header('Host'))) return 'Host'
    return isOwnOrigin(header('Origin')) ? undefined : 'Origin'
  }

  function isOwnHost(sent: string | undefined): boolean {
    if (sent === undefined) return true
    const hostname = HOST.test(sent) ? URL.parse(`http://${sent}`)?.hostname : undefined
    return hostname !== undefined && (hostname === own.hostname || LOOPBACK.test(hostname))
  }

  function isOwnOrigin(sent: string | undefined): boolean {
    if (sent === undefined || sent === own.origin) return true
    const origin = URL.parse(sent)
    const isLoopback = LOOPBACK.test(own.hostname) && origin !== null && LOOPBACK.test(origin.hostname)
    return isLoopback && origin.origin === sent && origin.protocol === own.protocol && origin.port === own.port
  }
}
