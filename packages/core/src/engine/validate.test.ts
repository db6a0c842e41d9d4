import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection } from '../../test/harness.ts'
import { companies } from '../features/companies/company.ts'
import { deals } from '../features/deals/deal.ts'
import { people } from '../features/people/person.ts'
import { pipelines } from '../features/pipelines/pipeline.ts'
import { tasks } from '../features/tasks/task.ts'
import { unknownNameRule } from './unknown-names.ts'
import { validate } from './validate.ts'
import { validatePatch } from './validate-patch.ts'

const NO_FIELDS = { code: 'bad_request', message: 'No fields provided for update.' }

describe('oversized input', () => {
  test('a list is rejected before its entries are validated', async () => {
    const sent = { full_name: 'Ana', emails: Array.from({ length: 200_000 }, () => ({ nope: 1 })) }
    const faults = await catchFieldErrors(() => validate(people.create, sent))
    expect(faults['emails']).toBe('Must have at most 20 entries.')
    expect(Object.keys(faults).length).toBeLessThanOrEqual(101)
  })

  test('of unknown fields is rejected with a hundred names', async () => {
    const sent = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`field${index}`, 1]))
    expect(
      Object.keys(await catchFieldErrors(() => validate(people.create, { ...sent, full_name: 'Ana' }))),
    ).toHaveLength(100)
  })
})

describe('invalid input', () => {
  test('is reported at once, each error under its path', async () => {
    const sent = {
      emails: [{ email: 'a@b.co' }, { email: 'nope', type: 'fax' }, 5, {}],
      phones: 'none',
      score: 101,
      position: 'x'.repeat(121),
      avatar_url: 'http://a.co/x.png',
      company_id: 'acme',
      nickname: 'A',
    }
    expect(await catchFieldErrors(() => validate(people.create, sent))).toEqual({
      full_name: 'Required.',
      'emails[1].email': 'Must be an e-mail address.',
      'emails[1].type': 'Must be one of: work, home, other.',
      'emails[2]': 'Must be an object.',
      'emails[3].email': 'Required.',
      phones: 'Must be an array.',
      score: 'Must be an integer between 0 and 100.',
      position: 'Must be at most 120 characters.',
      avatar_url: 'Must be an https URL.',
      company_id: 'Must be a UUID.',
      nickname: 'Unknown field.',
    })
  })

  test('in a nested list is reported under its index', async () => {
    const sent = {
      name: 'Sales',
      stages: [{ name: 'New', probability: 101 }, { name: ' ', type: 'won' }, {}],
    }
    expect(await catchFieldErrors(() => validate(pipelines.create, sent))).toEqual({
      'stages[0].probability': 'Must be an integer between 0 and 100.',
      'stages[1].name': 'Required.',
      'stages[1].type': 'Must be one of: open, win, lost.',
      'stages[2].name': 'Required.',
    })
  })

  test('in an edited stage is reported together with a missing name', async () => {
    expect(
      await catchFieldErrors(() => validatePatch(pipelines.update, { stages: [{ probability: 'high' }] })),
    ).toEqual({
      'stages[0].name': 'Required.',
      'stages[0].probability': 'Must be an integer between 0 and 100.',
    })
  })

  test.each([['text'], [5], [null], [true]])(
    'that is %j and not an object is reported as the body',
    async (body) => {
      expect(await catchFieldErrors(() => validate(people.create, body))).toHaveProperty('body')
    },
  )
})

describe('an unknown field', () => {
  test('is reported at every depth with the nearest known name', async () => {
    const sent = {
      full_name: 'Ann',
      emails: [{ email: 'a@b.co', typ: 'work', x: { y: 1 } }],
      Full_Name: 'Ann',
      email: 1,
      tag_ids: [],
    }
    expect(await catchFieldErrors(() => validate(people.create, sent))).toEqual({
      'emails[0].typ': 'Unknown field. Did you mean "type"?',
      'emails[0].x': 'Unknown field.',
      Full_Name: 'Unknown field. Did you mean "full_name"?',
      email: 'Unknown field. Did you mean "emails"?',
      tag_ids: 'Unknown field.',
    })
  })

  test('is reported in any entry of a list', async () => {
    const custom_fields = Array.from({ length: 150 }, (_, index) => ({
      key: `k${index}`,
      value: 1,
      ...(index === 149 && { vale: 2 }),
    }))
    expect(
      await catchFieldErrors(() => validate(people.create, { full_name: 'Ann', custom_fields })),
    ).toEqual({
      'custom_fields[149].vale': 'Unknown field. Did you mean "value"?',
    })
  })

  test('can have the name of an Object property', async () => {
    const sent: unknown = JSON.parse(
      '{"full_name":"Ann","__proto__":{"score":1},"constructor":1,"toString":2,"phones":[{"phone":"190","__proto__":{},"hasOwnProperty":3}]}',
    )
    const faults = await catchFieldErrors(() => validate(people.create, sent))
    expect(Object.entries(faults).toSorted()).toEqual([
      ['__proto__', 'Unknown field.'],
      ['constructor', 'Unknown field.'],
      ['phones[0].__proto__', 'Unknown field.'],
      ['phones[0].hasOwnProperty', 'Unknown field.'],
      ['toString', 'Unknown field.'],
    ])
  })

  test('is called a parameter in a query', () => {
    expect(unknownNameRule('parameter', 'perpage', ['page', 'per_page'])).toBe(
      'Unknown parameter. Did you mean "per_page"?',
    )
  })

  test('is not compared with known names if it is very long', () => {
    expect(unknownNameRule('parameter', `page${'e'.repeat(100_000)}`, ['page'])).toBe('Unknown parameter.')
  })

  test.each(['id', 'created_at', 'updated_at', 'entity_id'])(
    'can be %s, which the service sets',
    async (name) => {
      expect(
        Object.keys(
          await catchFieldErrors(() => validate(companies.create, { full_name: 'Acme', [name]: 'x' })),
        ),
      ).toEqual([name])
    },
  )
})

describe('null', () => {
  test('equals an omitted optional field in a creation', () => {
    const sent = {
      name: 'Big',
      amount: null,
      currency: null,
      pipeline_id: null,
      source: null,
      owner_email: null,
    }
    expect(validate(deals.create, sent)).toEqual({
      ...sent,
      amount: 0,
      amount_source: 'typed',
      external_ids: [],
    })
  })

  test('is rejected for a required field of a creation', async () => {
    expect(await catchFieldErrors(() => validate(deals.create, { name: null }))).toEqual({
      name: 'Must not be null.',
    })
  })

  test('clears a nullable field in an update', () => {
    const sent = {
      notes: null,
      due_date: null,
      type: null,
      person_id: null,
      company_id: null,
      deal_id: null,
      owner_email: null,
      priority: null,
    }
    expect(validatePatch(tasks.update, sent)).toEqual(sent)
  })

  test('is rejected for a field that is not nullable', async () => {
    expect(
      await catchFieldErrors(() => validatePatch(tasks.update, { title: null, completed: null })),
    ).toEqual({
      title: 'Must not be null.',
      completed: 'Must not be null.',
    })
    expect(
      await catchFieldErrors(() =>
        validatePatch(deals.update, { name: null, currency: null, pipeline_id: null, stage_id: null }),
      ),
    ).toEqual({
      name: 'Must not be null.',
      currency: 'Must not be null.',
      pipeline_id: 'Must not be null.',
      stage_id: 'Must not be null.',
    })
  })

  test('resets a field that has a default', () => {
    expect(validatePatch(people.update, { emails: null, phones: null, score: null })).toEqual({
      emails: [],
      phones: [],
      score: 0,
    })
    expect(validatePatch(deals.update, { amount: null })).toEqual({ amount: 0 })
  })

  test('replaces a blank value of a nullable text field', () => {
    expect(validatePatch(people.update, { position: '  ' })).toEqual({ position: null })
    expect(validatePatch(deals.update, { source: '' })).toEqual({ source: null })
  })

  test('is rejected in a list', async () => {
    expect(
      await catchFieldErrors(() => validatePatch(people.update, { emails: [null, { email: null }] })),
    ).toEqual({
      'emails[0]': 'Must not be null.',
      'emails[1].email': 'Must not be null.',
    })
  })
})

describe('an update', () => {
  test.each([
    ['{}', undefined],
    ['[]', undefined],
    ['[{"title":"A"}]', undefined],
    ['"title"', undefined],
    ['null', undefined],
    [
      '{"titel":"A","nickname":"B"}',
      { titel: 'Unknown field. Did you mean "title"?', nickname: 'Unknown field.' },
    ],
    ['{"toString":1,"constructor":2}', { toString: 'Unknown field.', constructor: 'Unknown field.' }],
  ])('of %s contains no known field', async (body, fields) => {
    const refusal = fields ? { ...NO_FIELDS, fields } : NO_FIELDS
    expect(await catchRejection(() => validatePatch(tasks.update, JSON.parse(body)))).toEqual(refusal)
  })

  test('of __proto__ contains no known field', async () => {
    const { fields = {} } = await catchRejection(() =>
      validatePatch(tasks.update, JSON.parse('{"__proto__":{"title":"A"}}')),
    )
    expect(Object.entries(fields)).toEqual([['__proto__', 'Unknown field.']])
  })

  test('with a known and an unknown field is rejected', async () => {
    expect(await catchFieldErrors(() => validatePatch(tasks.update, { title: 'A', titel: 'B' }))).toEqual({
      titel: 'Unknown field. Did you mean "title"?',
    })
  })

  test('contains only the fields sent', () => {
    expect(validatePatch(tasks.update, { title: ' A ' })).toEqual({ title: 'A' })
  })
})
