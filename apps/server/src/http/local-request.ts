import type { Context } from 'hono'
import type { AppEnv } from './app-env.ts'

const LOOPBACK_ADDRESS = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i
/** Headers of proxies, which may run on the same machine. */
const FORWARDING = /^(?:forwarded|via|x-forwarded-.+|x-real-ip|cf-connecting-ip)$/i

/**
 * Returns whether a program on this machine sent the request itself: over a loopback connection, to a loopback name,
 * which another name that resolves to this machine is not, and by no proxy.
 */
export function isLocalRequest({ env }: Pick<Context<AppEnv>, 'env'>): boolean {
  const { socket, rawHeaders = [] } = env?.incoming ?? {}
  const names = rawHeaders.filter((_, index) => index % 2 === 0)
  const hosts = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host',
  )
  return (
    LOOPBACK_ADDRESS.test(socket?.remoteAddress ?? '') &&
    hosts.length === 1 &&
    LOOPBACK_HOST.test(hosts[0]!) &&
    !names.some((name) => FORWARDING.test(name))
  )
}

/** True for an address that only this machine reaches. */
export function isLoopback(url: string): boolean {
  return LOOPBACK_HOST.test(new URL(url).hostname)
}
