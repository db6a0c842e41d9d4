import { expect, test } from 'vitest'
import { dataOf, UNKNOWN_ID } from '../../support/record-kind-cases.ts'
import { describeEachStore } from '../../support/stores.ts'
import {
  errorOf,
  openService,
  openWorkspace,
  sendRequest,
  type TestResponse,
} from '../../support/test-service.ts'

const PATH = '/v1/webhooks'
const HOOK = { url: 'https://hooks.example.com/crm', events: ['deal.won', 'deal.lost'] }

const BAD_URLS: readonly (readonly [unknown, string])[] = [
  ['http://hooks.example.com/', 'Must be an https URL.'],
  ['ftp://hooks.example.com/', 'Must be an https URL.'],
  ['//hooks.example.com/', 'Must be an https URL.'],
  ['javascript:alert(1)', 'Must be an https URL.'],
  ['https://', 'Must be an https URL.'],
  ['', 'Required.'],
  [' \t ', 'Required.'],
  [null, 'Must not be null.'],
  [['https://hooks.example.com'], 'Must be a string.'],
  ['https://ann:pass@hooks.example.com/', 'Must not contain a user name or password.'],
  ['https://hooks.example.com/#a', 'Must not contain a fragment.'],
  ['https://hooks.example.com/#', 'Must not contain a fragment.'],
  [`https://${'a.'.repeat(130)}example.com/`, 'Must have a host name of at most 253 characters.'],
  ['https://a"onclick=x/', 'Must have a valid host name.'],
  ['https://a"onclick=x.example/', 'Must have a valid host name.'],
  ['https://hooks.example.com:0/', 'Must have a port between 1 and 65535.'],
  ['https://localhost/', 'Must be a public address.'],
  ['https://LOCALHOST./', 'Must be a public address.'],
  ['https://hooks/', 'Must be a public address.'],
  ['https://crm.internal/', 'Must be a public address.'],
  ['https://127.0.0.1/', 'Must be a public address.'],
  ['https://0x7f.1/', 'Must be a public address.'],
  ['https://2130706433/', 'Must be a public address.'],
  ['https://017700000001/', 'Must be a public address.'],
  ['https://10.0.0.1:8443/', 'Must be a public address.'],
  ['https://169.254.169.254/latest/meta-data', 'Must be a public address.'],
  ['https://100.64.0.1/', 'Must be a public address.'],
  ['https://[::1]/', 'Must be a public address.'],
  ['https://[::ffff:127.0.0.1]/', 'Must be a public address.'],
  ['https://[64:ff9b::7f00:1]/', 'Must be a public address.'],
  ['https://[fd00::1]/', 'Must be a public address.'],
  ['https://hooks.example.com/\ud800', 'Must be valid Unicode text.'],
  ['https://hooks.example.com/\0', 'Must not contain control characters.'],
  ['https://hooks.exam\nple.com/', 'Must not contain control characters.'],
]

const BAD_EVENTS: readonly (readonly [unknown, object])[] = [
  [[], { events: 'Must have between 1 and 100 events.' }],
  [['deal.won', 'deal.lost', 'deal.won'], { events: 'Must name none of the events twice.' }],
  [null, { events: 'Must not be null.' }],
  ['deal.won', { events: 'Must be an array.' }],
  [
    ['__proto__', 'toString', 'constructor'],
    { 'events[0]': 'Unknown event.', 'events[1]': 'Unknown event.', 'events[2]': 'Unknown event.' },
  ],
  [
    ['deal.won', 'deal.wonn', null, 5],
    unknownAt('events[1]', { 'events[2]': 'Must not be null.', 'events[3]': 'Must be a string.' }),
  ],
  [['deal.won\0'], unknownAt('events[0]')],
  [['\ud800'], { 'events[0]': 'Unknown event.' }],
  [['webhook.test'], { 'events[0]': 'Unknown event.' }],
]

const outcomeOf = (response: TestResponse) => {
  if (response.status < 300) return String(response.status)
  const { code, message, fields } = errorOf(response)
  return `${response.status} ${code} ${message}${fields === undefined ? '' : ` ${JSON.stringify(fields)}`}`
}

const fieldErrorsOf = (response: TestResponse) => {
  expect([response.status, errorOf(response)['code']]).toEqual([422, 'validation_error'])
  return errorOf(response)['fields']
}

describeEachStore('the input of a webhook', (open) => {
  test('rejects every url that is not a public https address', async () => {
    const acme = await openWorkspace(await openService(await open()))
    for (const [url, rule] of BAD_URLS) {
      const responses = [
        await acme.call('POST', PATH, { ...HOOK, url }),
        await acme.call('PATCH', `${PATH}/${UNKNOWN_ID}`, { url }),
      ]
      expect([url, ...responses.map(fieldErrorsOf)]).toEqual([url, { url: rule }, { url: rule }])
    }
    expect((await acme.call('GET', PATH)).json).toMatchObject({ meta: { total: 0 } })
  })

  test('accepts a url of at most 2048 characters and normalizes it', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const url = `https://hooks.example.com/${'a'.repeat(2022)}`
    expect(await acme.createRecord(PATH, { ...HOOK, url })).toMatchObject({ url })
    expect(fieldErrorsOf(await acme.call('POST', PATH, { ...HOOK, url: `${url}a` }))).toEqual({
      url: 'Must be between 1 and 2048 characters.',
    })
    for (const [input, url] of [
      ['  HTTPS://Hooks.Example.com:443/A b?c=ã  ', 'https://hooks.example.com/A%20b?c=%C3%A3'],
      ['https://bücher.example.com:8443', 'https://xn--bcher-kva.example.com:8443/'],
      ['https://0x8.8.0x808', 'https://8.8.8.8/'],
    ] as const)
      expect(await acme.createRecord(PATH, { ...HOOK, url: input })).toMatchObject({ url })
  })

  test('rejects unknown events', async () => {
    const acme = await openWorkspace(await openService(await open()))
    for (const [events, fieldErrors] of BAD_EVENTS) {
      const responses = [
        await acme.call('POST', PATH, { ...HOOK, events }),
        await acme.call('PATCH', `${PATH}/${UNKNOWN_ID}`, { events }),
      ]
      expect([events, ...responses.map(fieldErrorsOf)]).toEqual([events, fieldErrors, fieldErrors])
    }
    expect((await acme.call('GET', PATH)).json).toMatchObject({ meta: { total: 0 } })
  })

  test('reports all invalid fields at once, in the order of the checks', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const bad = {
      url: 'http://x.example.com',
      events: ['deal.one'],
      auth_enable: 'on',
      webhook_secret: 'whsec_mine',
      client_id: UNKNOWN_ID,
    }
    const fieldErrors = {
      url: 'Must be an https URL.',
      'events[0]': 'Unknown event. Did you mean "deal.won"?',
      auth_enable: 'Must be true or false.',
      webhook_secret: 'Unknown field.',
      client_id: 'Unknown field.',
    }
    expect(fieldErrorsOf(await acme.call('POST', PATH, bad))).toEqual(fieldErrors)
    expect(fieldErrorsOf(await acme.call('POST', `${PATH}?dry=1`, bad))).toEqual({
      ...fieldErrors,
      dry: 'Unknown parameter.',
    })
    expect(fieldErrorsOf(await acme.call('PATCH', `${PATH}/${UNKNOWN_ID}?dry=1`, bad))).toEqual({
      ...fieldErrors,
      dry: 'Unknown parameter.',
    })
    expect(fieldErrorsOf(await acme.call('POST', PATH, {}))).toEqual({
      url: 'Required.',
      events: 'Required.',
    })
    expect(
      fieldErrorsOf(
        await acme.call('PATCH', `${PATH}/${UNKNOWN_ID}`, { url: null, events: null, auth_enable: null }),
      ),
    ).toEqual({
      ...{ url: 'Must not be null.', events: 'Must not be null.', auth_enable: 'Must not be null.' },
    })
    expect(await acme.createRecord(PATH, { ...HOOK, auth_enable: null })).toMatchObject({
      auth_enable: false,
    })
    const notJson = '400 bad_request Request body must be valid JSON.'
    const token = await acme.tokenFor(acme.owner.email, ['people:read'])
    expect(outcomeOf(await sendRequest(service.app, 'POST', PATH, '{'))).toMatch(/^401 unauthorized/)
    expect(outcomeOf(await acme.call('POST', PATH, '{', { token }))).toMatch(/^403 insufficient_scope/)
    for (const [method, path] of [
      ['POST', PATH],
      ['PATCH', `${PATH}/${UNKNOWN_ID}`],
    ] as const)
      for (const body of ['{', '']) expect(outcomeOf(await acme.call(method, path, body))).toBe(notJson)
    expect(outcomeOf(await acme.call('POST', PATH, '[]'))).toBe(
      '400 bad_request Request body must be a JSON object.',
    )
    expect(outcomeOf(await acme.call('PATCH', `${PATH}/${UNKNOWN_ID}`, {}))).toBe(
      '400 bad_request No fields provided for update.',
    )
    expect(outcomeOf(await acme.call('PATCH', `${PATH}/${UNKNOWN_ID}`, { auth_enable: true }))).toBe(
      '404 not_found Webhook not found.',
    )
  })

  test('ignores a repeated Idempotency-Key', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const headers = { 'Idempotency-Key': 'once' }
    const [first, second] = [
      await acme.call('POST', PATH, HOOK, { headers }),
      await acme.call('POST', PATH, HOOK, { headers }),
    ]
    expect([first.status, second.status, dataOf(first)['id'] === dataOf(second)['id']]).toEqual([
      201,
      201,
      false,
    ])
  })
})

function unknownAt(field: string, otherErrors: object = {}): object {
  return { [field]: 'Unknown event. Did you mean "deal.won"?', ...otherErrors }
}
