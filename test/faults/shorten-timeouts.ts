import http from 'node:http'
import { syncBuiltinESMExports } from 'node:module'

/** Loaded before the service: limits the timeouts of its HTTP server to this value. */
const MAX_TIMEOUT_MS = 4_000

const TIMEOUT_OPTIONS = ['headersTimeout', 'requestTimeout'] as const
const { createServer } = http
const setServerTimeout: (ms: number) => http.Server = http.Server.prototype.setTimeout

http.createServer = ((options: http.ServerOptions, onRequest: http.RequestListener) => {
  const limitedOptions = TIMEOUT_OPTIONS.flatMap((name) =>
    options[name] === undefined ? [] : [[name, Math.min(options[name], MAX_TIMEOUT_MS)]],
  )
  return createServer({ ...options, ...Object.fromEntries(limitedOptions) }, onRequest)
}) as typeof createServer
http.Server.prototype.setTimeout = function (this: http.Server, ms: number) {
  return setServerTimeout.call(this, Math.min(ms, MAX_TIMEOUT_MS))
} as typeof http.Server.prototype.setTimeout
syncBuiltinESMExports()
