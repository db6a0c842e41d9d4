import { expect, test } from 'vitest'
import { explainDatabaseError } from '../../src/process/database-error.ts'

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /signed by nobody known\. .*sslrootcert=FILE/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /signed by nobody known\. .*sslrootcert=FILE/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /signed by nobody known\. .*sslrootcert=FILE/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /is for another host\. Correct the host/],
])('explains %s in one line with advice', (code, advice) => {
  const cause = Object.assign(new Error('postgres://crm:canary@db'), { code })
  const error = explainDatabaseError(cause)
  expect(error).toMatchObject({ message: expect.stringMatching(advice), cause })
  expect((error as Error).message).not.toContain('canary')
})

test('names the reason of each server when none takes writes', () => {
  const cause = Object.assign(new Error('no server takes writes (a:5432: the server is a standby)'), {
    code: 'NO_LEADER',
  })
  expect(explainDatabaseError(cause)).toMatchObject({
    message: `Cannot use the database: ${cause.message}. Name the server that takes writes in DATABASE_URL, or all servers of its cluster.`,
  })
})
