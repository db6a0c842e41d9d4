import { expect, test } from 'vitest'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

describeEachStore('a value', (open) => {
  async function openAcme() {
    return openWorkspace(await openService(await open()))
  }

  test('of text is counted in code points and stored unchanged', async () => {
    const { call, createRecord } = await openAcme()
    for (const title of [
      '😀'.repeat(200),
      'a'.repeat(200),
      `"\\'; drop table tasks; --`,
      'a\u2028b % _ <b>',
      '__proto__',
      'é e\u0301 ß İ',
      '日本語',
    ]) {
      const { id } = await createRecord('/v1/tasks', { title })
      expect((await call('GET', `/v1/tasks/${id}`)).json).toMatchObject({ data: { title } })
    }
  })

  test('of text that is too long, has control characters or is invalid Unicode is 422', async () => {
    const { call } = await openAcme()
    const rows: [string, string][] = [
      [
        '"\\ud83d\\ude00"'.replace(/"(.*)"/, (_, pair) => `"${pair.repeat(201)}"`),
        'Must be between 1 and 200 characters.',
      ],
      [`"${'a'.repeat(201)}"`, 'Must be between 1 and 200 characters.'],
      [`"${'a'.repeat(100_000)}"`, 'Must be between 1 and 200 characters.'],
      ['"a\\u0000b"', 'Must not contain control characters.'],
      ['"a\\nb"', 'Must not contain control characters.'],
      ['"a\\ud800b"', 'Must be valid Unicode text.'],
      ['"\\udc00"', 'Must be valid Unicode text.'],
      ['" \\t "', 'Required.'],
      ['null', 'Must not be null.'],
      ['7', 'Must be a string.'],
      ['["a"]', 'Must be a string.'],
      ['{"toString":1}', 'Must be a string.'],
    ]
    for (const [title, message] of rows) {
      const response = await call('POST', '/v1/tasks', `{"title":${title}}`)
      expect([title.slice(0, 20), response.status, errorOf(response)['fields']]).toEqual([
        title.slice(0, 20),
        422,
        { title: message },
      ])
    }
    const response = await call('POST', '/v1/tasks', '{"title":"a","notes":"a\\u0000b"}')
    expect([response.status, errorOf(response)['fields']]).toEqual([
      422,
      { notes: 'Must not contain the null character.' },
    ])
  })

  test('of a number is exact or 422', async () => {
    const { call, createRecord } = await openAcme()
    await createRecord('/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
    const message = 'Must be an integer between 0 and 1000000000000000.'
    for (const amount of [
      '-1',
      '0.5',
      '1000000000000000.4',
      '1000000000000001',
      '9007199254740993',
      '1e400',
      '-1e400',
      '"5"',
      'true',
      '[5]',
    ]) {
      const response = await call('POST', '/v1/deals', `{"name":"a","amount":${amount}}`)
      expect([amount, response.status, errorOf(response)['fields']]).toEqual([
        amount,
        422,
        { amount: message },
      ])
    }
    for (const [amount, stored] of [
      ['1000000000000000', 1e15],
      ['1.0', 1],
      ['-0', 0],
      ['1e3', 1000],
    ] as const) {
      const { text } = await call('POST', '/v1/deals', `{"name":"a","amount":${amount}}`)
      expect(text).toContain(`"amount":${stored},`)
    }
  })

  test('of an instant must be a real date-time with an offset', async () => {
    const { call } = await openAcme()
    const form = 'Must be an ISO 8601 date-time with a time zone, such as 2026-03-01T12:00:00Z.'
    const bounds = 'Must lie between 0001-01-01T00:00:00Z and 9999-12-31T23:59:59.999Z.'
    for (const [due_date, message] of [
      ['', form],
      ['1', form],
      ['now', form],
      ['2026-06-01', form],
      ['2026-06-01T10:00:00', form],
      ['2026-06-01 10:00:00Z', form],
      ['2026-02-30T00:00:00Z', form],
      ['2026-06-01T24:00:00Z', form],
      ['2026-06-30T23:59:60Z', 'Leap seconds are not supported.'],
      ['2026-06-01T10:00Z', form],
      ['+010000-01-01T00:00:00Z', bounds],
      ['9999-12-31T23:59:59-01:00', bounds],
      ['2026-06-01T10:00:00+24:00', form],
    ] as const) {
      const response = await call('POST', '/v1/tasks', { title: 'a', due_date })
      expect([due_date, response.status, errorOf(response)['fields']]).toEqual([
        due_date,
        422,
        { due_date: message },
      ])
    }
    for (const [due_date, stored] of [
      ['2026-06-01T10:00:00.1239+05:30', '2026-06-01T04:30:00.123Z'],
      ['2024-02-29t23:00:00z', '2024-02-29T23:00:00.000Z'],
      ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ]) {
      expect((await call('POST', '/v1/tasks', { title: 'a', due_date: due_date })).json).toMatchObject({
        data: { due_date: stored },
      })
    }
  })

  test('of a list may have at most 20 entries', async () => {
    const { call } = await openAcme()
    const emails = Array.from({ length: 21 }, (_, index) => ({ email: `a${index}@x.example` }))
    expect((await call('POST', '/v1/people', { full_name: 'a', emails: emails.slice(1) })).status).toBe(201)
    const response = await call('POST', '/v1/people', { full_name: 'a', emails })
    expect([response.status, errorOf(response)['fields']]).toEqual([
      422,
      { emails: 'Must have at most 20 entries.' },
    ])
  })

  test('named like an inherited property is an unknown field', async () => {
    const { call } = await openAcme()
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '']) {
      const response = await call('POST', '/v1/tasks', `{"title":"a",${JSON.stringify(name)}:{"title":"b"}}`)
      const fields = errorOf(response)['fields'] as object
      expect([response.status, Object.entries(fields)]).toEqual([422, [[name, 'Unknown field.']]])
    }
  })

  test('survives concurrent changes of other fields', async () => {
    const { call, createRecord } = await openAcme()
    const { id } = await createRecord('/v1/tasks', { title: 'Call' })
    const changes = [
      { notes: 'n' },
      { priority: 'high' },
      { completed: true },
      { due_date: '2026-06-01T10:00:00Z' },
      { type: 'call' },
    ]
    await Promise.all(changes.map((change) => call('PATCH', `/v1/tasks/${id}`, change)))
    expect((await call('GET', `/v1/tasks/${id}`)).json).toMatchObject({
      data: {
        notes: 'n',
        priority: 'high',
        completed: true,
        due_date: '2026-06-01T10:00:00.000Z',
        type: { key: 'call' },
      },
    })
  })
})
