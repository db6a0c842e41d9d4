/**
 * The ports of `createCrm` without the storage, on what every browser has. There is no sign-in, no file and no
 * request to other servers: their ports throw, because no part of the page uses them.
 */
export function webPorts() {
  return {
    issuer: location.origin,
    now: () => new Date().toISOString(),
    newId,
    random: (size) => crypto.getRandomValues(new Uint8Array(size)),
    passwords: unsupported('passwords', ['hash', 'verify', 'isCommon']),
    // Synchronous ports: the browser's own hashing, crypto.subtle, is asynchronous.
    secrets: unsupported('secrets', ['hash', 'sign', 'matches', 'seal', 'open']),
    tokens: unsupported('tokens', ['sign', 'readKeyId', 'verify']),
    files: unsupported('files', ['decodeImage', 'fetchImage', 'decodeAttachment']),
    ...unsupported('ports', ['sanitizeHtml', 'parseOutboundUrl', 'fetchDocument']),
  }
}

/** Returns a UUIDv7 (RFC 9562): the milliseconds since 1970 in 12 digits, the version, and random bits. */
function newId() {
  const time = Date.now().toString(16).padStart(12, '0')
  return crypto.randomUUID().replace(/^.{8}-.{4}-4/, `${time.slice(0, 8)}-${time.slice(8)}-7`)
}

function unsupported(port, names) {
  const reject = (name) => () => {
    throw new Error(`${port}.${name} is not supported in this page.`)
  }
  return Object.fromEntries(names.map((name) => [name, reject(name)]))
}
