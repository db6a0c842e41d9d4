import http from 'node:http'
import { syncBuiltinESMExports } from 'node:module'

/** Loaded before the service: what it waits longer for of its callers' sockets, it waits only this long. */
const MOST_MS = 4_000

const LIMITS = ['headersTimeout', 'requestTimeout'] as const
const { createServer } = http
const setServerTimeout: (ms: number) => http.Server = http.Server.prototype.setTimeout

http.createServer = ((options: http.ServerOptions, onRequest: http.RequestListener) => {
  const given = LIMITS.flatMap((name) =>
    options[name] === undefined ? [] : [[name, Math.min(options[name], MOST_MS)]],
  )
  return createServer({ ...options, ...Object.fromEntries(given) }, onRequest)
}) as typeof createServer
http.Server.prototype.setTimeout = function (this: http.Server, ms: number) {
  return setServerTimeout.call(this, Math.min(ms, MOST_MS))
} as typeof http.Server.prototype.setTimeout
syncBuiltinESMExports()
