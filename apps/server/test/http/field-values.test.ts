import { expect, test } from 'vitest'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

describeEachStore('a value', (open) => {
  async function acme() {
    return openWorkspace(await openService(await open()))
  }

  test('of text is counted in code points and kept to the letter', async () => {
    const { call, createRecord: made } = await acme()
    for (const title of [
      '😀'.repeat(200),
      'a'.repeat(200),
      `"\\'; drop table tasks; --`,
      'a\u2028b % _ <b>',
      '__proto__',
      'é e\u0301 ß İ',
      '日本語',
    ]) {
      const { id } = await made('/v1/tasks', { title })
      expect((await call('GET', `/v1/tasks/${id}`)).json).toMatchObject({ data: { title } })
    }
  })

  test('of text that is too long, controls the terminal or is no Unicode is a 422', async () => {
    const { call } = await acme()
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
      const answer = await call('POST', '/v1/tasks', `{"title":${title}}`)
      expect([title.slice(0, 20), answer.status, errorOf(answer)['fields']]).toEqual([
        title.slice(0, 20),
        422,
        { title: message },
      ])
    }
    const answer = await call('POST', '/v1/tasks', '{"title":"a","notes":"a\\u0000b"}')
    expect([answer.status, errorOf(answer)['fields']]).toEqual([
      422,
      { notes: 'Must not contain the null character.' },
    ])
  })

  test('of a number is exact or a 422', async () => {
    const { call, createRecord: made } = await acme()
    await made('/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
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
      const answer = await call('POST', '/v1/deals', `{"name":"a","amount":${amount}}`)
      expect([amount, answer.status, errorOf(answer)['fields']]).toEqual([amount, 422, { amount: message }])
    }
    for (const [amount, kept] of [
      ['1000000000000000', 1e15],
      ['1.0', 1],
      ['-0', 0],
      ['1e3', 1000],
    ] as const) {
      const { text } = await call('POST', '/v1/deals', `{"name":"a","amount":${amount}}`)
      expect(text).toContain(`"amount":${kept},`)
    }
  })

  test('of an instant is a real one with an offset or a 422', async () => {
    const { call } = await acme()
    const message = 'Must be an ISO 8601 date-time with a time zone, such as 2026-03-01T12:00:00Z.'
    for (const due_date of [
      '',
      '1',
      'now',
      '2026-06-01',
      '2026-06-01T10:00:00',
      '2026-06-01 10:00:00Z',
      '2026-02-30T00:00:00Z',
      '2026-06-01T24:00:00Z',
      '2026-06-30T23:59:60Z',
      '2026-06-01T10:00Z',
      '+010000-01-01T00:00:00Z',
      '9999-12-31T23:59:59-01:00',
      '2026-06-01T10:00:00+24:00',
    ]) {
      const answer = await call('POST', '/v1/tasks', { title: 'a', due_date })
      expect([due_date, answer.status, errorOf(answer)['fields']]).toEqual([
        due_date,
        422,
        { due_date: message },
      ])
    }
    for (const [sent, kept] of [
      ['2026-06-01T10:00:00.1239+05:30', '2026-06-01T04:30:00.123Z'],
      ['2024-02-29t23:00:00z', '2024-02-29T23:00:00.000Z'],
      ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ]) {
      expect((await call('POST', '/v1/tasks', { title: 'a', due_date: sent })).json).toMatchObject({
        data: { due_date: kept },
      })
    }
  })

  test('of a list has a bound', async () => {
    const { call } = await acme()
    const emails = Array.from({ length: 21 }, (_, index) => ({ email: `a${index}@x.example` }))
    expect((await call('POST', '/v1/people', { full_name: 'a', emails: emails.slice(1) })).status).toBe(201)
    const answer = await call('POST', '/v1/people', { full_name: 'a', emails })
    expect([answer.status, errorOf(answer)['fields']]).toEqual([
      422,
      { emails: 'Must have at most 20 entries.' },
    ])
  })

  test('with an odd name is an unknown field, whatever objects inherit', async () => {
    const { call } = await acme()
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '']) {
      const answer = await call('POST', '/v1/tasks', `{"title":"a",${JSON.stringify(name)}:{"title":"b"}}`)
      const fields = errorOf(answer)['fields'] as object
      expect([answer.status, Object.entries(fields)]).toEqual([422, [[name, 'Unknown field.']]])
    }
  })

  test('changed in two fields at once keeps both', async () => {
    const { call, createRecord: made } = await acme()
    const { id } = await made('/v1/tasks', { title: 'Call' })
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
