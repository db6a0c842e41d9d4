import { describe, expect, test } from 'vitest'
import { catchRejection, secrets, UNKNOWN_ID } from '../../../../test/harness.ts'
import { withApp } from '../../../../test/oauth-harness.ts'

const NO_CLIENT = {
  code: 'invalid_client',
  message: 'The client does not exist, is not active, or its credentials are wrong.',
}
const ONE_WAY = 'The client must authenticate in one way: by HTTP Basic or in the body.'

function missingError(...names: string[]) {
  const fields = Object.fromEntries(names.map((name) => [name, 'Required.']))
  return { code: 'invalid_request', message: 'A required parameter is missing.', fields }
}

describe('the token endpoint', () => {
  test('reports all missing parameters, but the grant_type first', async () => {
    const { oauth } = await withApp()
    expect(await catchRejection(oauth.token({}))).toEqual(missingError('grant_type'))
    expect(await catchRejection(oauth.token({ grant_type: '', code: 'c' }))).toEqual(
      missingError('grant_type'),
    )
    const [code, refresh] = ['authorization_code', 'refresh_token']
    expect(await catchRejection(oauth.token({ grant_type: code }))).toEqual(
      missingError('code', 'client_id', 'client_secret'),
    )
    expect(await catchRejection(oauth.token({ grant_type: refresh, client_id: 'x', code: 'c' }))).toEqual(
      missingError('refresh_token', 'client_secret'),
    )
    const basic = { client_id: 'x', client_secret: 'x' }
    expect(await catchRejection(oauth.token({ grant_type: code }, basic))).toEqual(missingError('code'))
    expect(await catchRejection(oauth.token({ grant_type: refresh }, basic))).toEqual(
      missingError('refresh_token'),
    )
  })

  test.each(['password', 'client_credentials', 'Refresh_token', 'implicit'])(
    'rejects the grant_type %s',
    async (grant_type) => {
      const { oauth } = await withApp()
      expect(await catchRejection(oauth.token({ grant_type }))).toEqual({
        code: 'unsupported_grant_type',
        message: 'The grant_type must be authorization_code or refresh_token.',
        fields: { grant_type: 'Must be one of: authorization_code, refresh_token.' },
      })
    },
  )

  test('rejects repeated parameters first and ignores unknown ones', async () => {
    const { oauth, codeFor, exchange } = await withApp()
    const repeatedMessage = 'Must be sent only once.'
    expect(
      await catchRejection(oauth.token({ grant_type: ['x', 'x'], scope: ['a', 'a'], audience: ['a', 'b'] })),
    ).toEqual({
      code: 'invalid_request',
      message: 'A parameter was sent more than once.',
      fields: { grant_type: repeatedMessage, scope: repeatedMessage },
    })
    expect(
      await exchange(await codeFor(), { audience: 'x', redirect_uri: '', code_verifier: '' }),
    ).toHaveProperty('access_token')
  })

  test('authenticates the client before it checks the code or token', async () => {
    const { oauth, exchange, refresh, credentials, changeApp } = await withApp()
    for (const wrong of [
      { client_id: UNKNOWN_ID },
      { client_id: 'app' },
      { client_id: '\ud800' },
      { client_secret: 'wrong' },
      { client_secret: credentials.client_id },
      { client_secret: credentials.client_secret.toUpperCase() },
    ]) {
      expect(await catchRejection(exchange('c', wrong))).toEqual(NO_CLIENT)
      expect(await catchRejection(refresh('c', wrong))).toEqual(NO_CLIENT)
      const basic = { ...credentials, ...wrong }
      expect(
        await catchRejection(oauth.token({ grant_type: 'refresh_token', refresh_token: 'c' }, basic)),
      ).toEqual(NO_CLIENT)
    }
    await changeApp({ active: false })
    expect(await catchRejection(exchange('c'))).toEqual(NO_CLIENT)
    await changeApp({ active: true, secret_hash: null })
    expect(await catchRejection(exchange('c'))).toEqual(NO_CLIENT)
  })

  test('compares a secret hash also for an unknown client', async () => {
    const hashes: string[] = []
    const matches = (secret: string, hash: string) => {
      hashes.push(hash)
      return secrets.matches(secret, hash)
    }
    const { exchange } = await withApp({ secrets: { ...secrets, matches } })
    await catchRejection(exchange('c', { client_id: UNKNOWN_ID }))
    expect(hashes).toEqual(['0'.repeat(64)])
    await catchRejection(exchange('c', { client_secret: 'wrong' }))
    expect(hashes).toEqual(['0'.repeat(64), expect.stringMatching(/^[0-9a-f]{64}$/)])
  })

  test('accepts credentials by HTTP Basic or in the body, but not both', async () => {
    const { oauth, codeFor, credentials } = await withApp()
    const request = { grant_type: 'authorization_code', code: await codeFor() }
    const { client_id, client_secret } = credentials
    expect(await catchRejection(oauth.token({ ...request, client_secret }, credentials))).toEqual({
      code: 'invalid_request',
      message: ONE_WAY,
      fields: { client_secret: 'Must not be sent beside HTTP Basic.' },
    })
    expect(await catchRejection(oauth.token({ ...request, client_id: UNKNOWN_ID }, credentials))).toEqual({
      code: 'invalid_request',
      message: ONE_WAY,
      fields: { client_id: 'Must be that of HTTP Basic, or left out.' },
    })
    expect(await oauth.token({ ...request, client_id }, credentials)).toHaveProperty('access_token')
    expect(await oauth.token({ ...request, code: await codeFor() }, credentials)).toHaveProperty(
      'access_token',
    )
  })
})
