const UNTRUSTED_CERTIFICATE =
  "the certificate of the server in DATABASE_URL is signed by nobody known. Name the authority's with sslrootcert=FILE in DATABASE_URL"

const ADVICE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at the address in DATABASE_URL. Start PostgreSQL, or correct the address',
  ENOTFOUND: 'the host in DATABASE_URL is not known. Correct it',
  EAI_AGAIN: 'the host in DATABASE_URL cannot be looked up now. Check the network, or correct the host',
  EHOSTUNREACH: 'the host in DATABASE_URL cannot be reached. Check the network, or correct the host',
  ENETUNREACH: 'the host in DATABASE_URL cannot be reached. Check the network, or correct the host',
  ETIMEDOUT: 'the host in DATABASE_URL does not answer. Check the address and the firewall',
  ECONNRESET:
    'the server in DATABASE_URL closed the connection. Check that it is PostgreSQL and takes connections',
  NO_TLS: 'the server in DATABASE_URL offers no TLS. Have it do so, or leave sslmode out of DATABASE_URL',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED_CERTIFICATE,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED_CERTIFICATE,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED_CERTIFICATE,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'the certificate of the server in DATABASE_URL is for another host. Correct the host, or the certificate',
  '28P01': 'PostgreSQL refuses the password. Correct the user or password in DATABASE_URL',
  '28000': 'PostgreSQL refuses the user. Correct the user in DATABASE_URL, or allow it in pg_hba.conf',
  '3D000': 'the database in DATABASE_URL does not exist. Make it with createdb, or correct the name',
  '42501': 'the user in DATABASE_URL may not do this. Grant it CREATE on the database and its schema',
  '53300': 'PostgreSQL has no connection left. Lower DATABASE_POOL, or raise its max_connections',
  '57P03': 'PostgreSQL is starting up or shutting down. Try again in a moment',
  SQLITE_CANTOPEN:
    'the file in DATABASE_URL cannot be opened. Let this user read and write the file and its folder',
  SQLITE_READONLY: 'the file in DATABASE_URL is read-only. Let this user write the file and its folder',
  SQLITE_BUSY: 'another process holds the file in DATABASE_URL. Wait for it, or stop it',
  SQLITE_CORRUPT: 'the file in DATABASE_URL is damaged. Restore it from a backup',
  SQLITE_IOERR_SHORT_READ:
    'the log beside the file in DATABASE_URL lacks what a process that uses it has written. Stop that process, which says in its log what to do',
  SQLITE_FULL: 'the disk is full. Make room',
  EACCES: 'the folder of the file in DATABASE_URL cannot be made or read. Let this user write there',
}

/**
 * Converts a database error that an operator can act on into a one-line message. The URL is not shown: it may
 * contain a password.
 */
export function explainDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (/timeout expired|connection timeout/i.test(error.message)) return withAdvice('ETIMEDOUT', error)
  if (/does not support SSL/i.test(error.message)) return withAdvice('NO_TLS', error)
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'NO_LEADER') return explainNoLeader(error)
  // SQLite's extended codes start with the primary code: SQLITE_CANTOPEN_ISDIR.
  const knownCode = Object.keys(ADVICE).find((each) => code === each || code.startsWith(`${each}_`))
  return knownCode === undefined ? error : withAdvice(knownCode, error)
}

function withAdvice(code: string, cause: Error): Error {
  return new Error(`Cannot use the database: ${ADVICE[code]}.`, { cause })
}

function explainNoLeader(cause: Error): Error {
  const advice = 'Name the server that takes writes in DATABASE_URL, or all servers of its cluster'
  return new Error(`Cannot use the database: ${cause.message}. ${advice}.`, { cause })
}
