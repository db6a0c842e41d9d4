import { describe, expect, test } from 'vitest'
import {
  ANN,
  BEN,
  catchFieldErrors,
  catchRejection,
  createTestCrm,
  NOON,
  OWNER,
  UNKNOWN_ID,
} from '../../../test/harness.ts'
import { createEngine } from '../../crm.ts'
import { activityApi } from './activity-api.ts'

const LATER = '2026-03-01T13:00:00.000Z'
const NO_LINK = { entity: null, entity_id: null }

async function setUpPerson() {
  const base = await createTestCrm()
  const person = await base.crm.people.create(base.owner, { full_name: 'Ana' })
  return { ...base, api: activityApi(createEngine(base.ports)), person }
}

test('an activity is returned with all fields, its attachments only in the detail view', async () => {
  const { api, owner, ann, person, clock } = await setUpPerson()
  const activity = await api.create(owner, {
    entity: 'people',
    entity_id: person.id.toUpperCase(),
    content_html: '<p>Called</p>',
    owner_email: ANN.email,
    attachments: [{ filename: ' notes.txt ', content: 'Tm90ZXM=' }],
  })
  const item = {
    id: activity.id,
    entity: 'people',
    entity_id: person.id,
    content_html: '<p>Called</p>',
    attachments_count: 1,
    owner: { id: ann.userId, ...ANN },
    created_at: NOON,
    updated_at: null,
  }
  const [attachment] = activity.attachments
  const detail = {
    ...item,
    external_ids: [],
    attachments: [
      {
        id: attachment?.id,
        filename: 'notes.txt',
        content_type: 'text/plain; charset=utf-8',
        size: 8,
        url: attachment?.url,
      },
    ],
  }
  expect(activity).toEqual(detail)
  expect(await api.get(owner, activity.id)).toEqual(detail)
  expect(await api.list(owner, { entity: 'people', id: person.id })).toEqual({
    data: [item],
    meta: { total: 1, page: 1, per_page: 50, has_more: false },
  })

  clock.set(LATER)
  const clearInput = { content_html: '<p>Met</p>', ...NO_LINK, owner_email: null }
  const after = { ...detail, ...NO_LINK, content_html: '<p>Met</p>', owner: null, updated_at: LATER }
  expect(await api.update(owner, activity.id, clearInput)).toEqual(after)
  expect(await api.get(owner, activity.id)).toEqual(after)

  await api.remove(owner, activity.id)
  expect(await catchRejection(api.get(owner, activity.id))).toEqual({
    code: 'not_found',
    message: 'Activity not found.',
  })
  expect(await catchRejection(api.remove(owner, activity.id))).toEqual({
    code: 'not_found',
    message: 'Activity not found.',
  })
})

test('an activity requires only content, and null equals an omitted field', async () => {
  const { api, owner } = await setUpPerson()
  const minimal = {
    ...NO_LINK,
    content_html: 'Hi',
    attachments_count: 0,
    owner: null,
    created_at: NOON,
    updated_at: null,
    external_ids: [],
    attachments: [],
  }
  const activity = await api.create(owner, { content_html: 'Hi' })
  expect(activity).toEqual({ id: activity.id, ...minimal })
  const nulls = { ...NO_LINK, owner_email: null, owner_user_id: null, attachments: null }
  const activityOfNulls = await api.create(owner, { content_html: 'Hi', ...nulls })
  expect(activityOfNulls).toEqual({ id: activityOfNulls.id, ...minimal })
  expect(
    (await api.create(owner, { content_html: 'Hi', owner_user_id: null, owner_email: OWNER.email })).owner
      ?.id,
  ).toBe(owner.userId)
})

test('every field of a wrong type is reported', async () => {
  const { api, owner } = await setUpPerson()
  const { id } = await api.create(owner, { content_html: 'Hi' })
  const invalidInput = { content_html: ['Hi'], entity: 1, entity_id: {}, owner_email: 7 }
  const errors = {
    content_html: 'Must be a string.',
    entity: 'Must be one of: people, companies, deals.',
    entity_id: 'Must be a string.',
    owner_email: 'Must be a string.',
  }
  const files = {
    attachments: [1, null, [], { filename: 2, content: false }, { filename: 'a', content: null, size: 1 }],
  }
  expect(await catchFieldErrors(api.create(owner, { ...invalidInput, ...files } as never))).toEqual({
    ...errors,
    'attachments[0]': 'Must be an object.',
    'attachments[1]': 'Must not be null.',
    'attachments[2]': 'Must be an object.',
    'attachments[3].filename': 'Must be a string.',
    'attachments[3].content': 'Must be a string.',
    'attachments[4].content': 'Must not be null.',
    'attachments[4].size': 'Unknown field.',
  })
  expect(
    await catchFieldErrors(api.create(owner, { content_html: 'Hi', attachments: { length: 1 } } as never)),
  ).toEqual({
    attachments: 'Must be an array.',
  })
  expect(
    await catchFieldErrors(api.update(owner, id, { ...invalidInput, attachments: [] } as never)),
  ).toEqual({
    ...errors,
    attachments: 'Unknown field.',
  })
  for (const body of [null, 'Hi', 1])
    expect(await catchRejection(api.create(owner, body as never))).toMatchObject({ code: 'validation_error' })
})

test('an owner is set by id or by e-mail address, not by both', async () => {
  const { api, owner, ann } = await setUpPerson()
  const { id } = await api.create(owner, { content_html: 'Hi' })
  const input = { content_html: ' ', owner_user_id: ann.userId, owner_email: ANN.email }
  const errors = { content_html: 'Required.', owner_email: 'Must not be sent together with owner_user_id.' }
  expect(await catchFieldErrors(api.create(owner, input))).toEqual(errors)
  expect(await catchFieldErrors(api.update(owner, id, input))).toEqual(errors)
})

describe('the content', () => {
  test('has at most 100 000 code points of valid Unicode and is not blank', async () => {
    const { api, owner } = await setUpPerson()
    const longest = '😀'.repeat(100_000)
    const { id, content_html } = await api.create(owner, { content_html: longest })
    expect(content_html).toBe(longest)
    const cases = [
      [`${longest}a`, 'Must be at most 100000 characters.'],
      ['a\ud800b', 'Must be valid Unicode text.'],
      ['a\0b', 'Must not contain the null character.'],
      ['', 'Required.'],
      [' \n\t', 'Required.'],
      [null, 'Must not be null.'],
    ] as const
    for (const [content, message] of cases) {
      expect(await catchFieldErrors(api.create(owner, { content_html: content as never }))).toEqual({
        content_html: message,
      })
      expect(await catchFieldErrors(api.update(owner, id, { content_html: content as never }))).toEqual({
        content_html: message,
      })
    }
  })

  test('is sanitized before it is stored, even if nothing is left', async () => {
    const { api, owner } = await setUpPerson()
    const activity = await api.create(owner, { content_html: ' <b>Hi</b><script>steal()</script> ' })
    expect(activity.content_html).toBe(' <b>Hi</b> ')
    expect(
      (await api.update(owner, activity.id, { content_html: '<script>steal()</script>' })).content_html,
    ).toBe('')
    expect((await api.get(owner, activity.id)).content_html).toBe('')
    expect((await api.create(owner, { content_html: '<script>steal()</script>' })).content_html).toBe('')
  })

  test('that became empty can be sent back unchanged', async () => {
    const { api, owner, ben, ann, otherOwner, clock } = await setUpPerson()
    const { id } = await api.create(owner, { content_html: '<script>x</script>', owner_email: ANN.email })
    clock.advance(60)
    expect((await api.update(owner, id, { content_html: '' })).updated_at).toBe(null)
    expect(await api.update(ann, id, { content_html: '', owner_email: null })).toMatchObject({
      content_html: '',
      owner: null,
    })
    await api.update(owner, id, { owner_email: ANN.email })
    expect((await catchRejection(api.update(ben, id, { content_html: '' }))).code).toBe('forbidden')
    const required = { content_html: 'Required.' }
    expect(await catchFieldErrors(api.update(owner, id, { content_html: ' ' }))).toEqual(required)
    expect(await catchFieldErrors(api.update(otherOwner, id, { content_html: '' }))).toEqual(required)
    expect(await catchFieldErrors(api.update(owner, UNKNOWN_ID, { content_html: '' }))).toEqual(required)
    expect(
      await catchFieldErrors(api.update(owner, id, { content_html: '', id, entity: 'people' } as never)),
    ).toEqual({ id: 'Unknown field.', entity_id: 'Required together with entity.' })
  })
})

describe('an update', () => {
  test('without a change writes nothing', async () => {
    const { api, owner, ann, person, clock } = await setUpPerson()
    const input = {
      content_html: '<b>Hi</b>',
      entity: 'people',
      entity_id: person.id,
      owner_user_id: ann.userId,
    } as const
    const activity = await api.create(owner, input)
    clock.set(LATER)
    expect(
      await api.update(owner, activity.id, { ...input, content_html: '<b>Hi</b><script></script>' }),
    ).toEqual(activity)
    expect(await api.get(owner, activity.id)).toEqual(activity)
    expect((await api.update(owner, activity.id, { content_html: 'Ho' })).updated_at).toBe(LATER)
  })

  test('requires a known field', async () => {
    const { api, owner } = await setUpPerson()
    const { id } = await api.create(owner, { content_html: 'Hi' })
    expect(await catchRejection(api.update(owner, id, { attachments: [] } as never))).toEqual({
      code: 'bad_request',
      message: 'No fields provided for update.',
      fields: { attachments: 'Unknown field.' },
    })
  })
})

test('an activity of another workspace is not found', async () => {
  const { api, owner, otherOwner, person } = await setUpPerson()
  const activity = await api.create(owner, { content_html: 'Hi', entity: 'people', entity_id: person.id })
  const notFound = { code: 'not_found', message: 'Activity not found.' }
  for (const id of [activity.id, UNKNOWN_ID, 'constructor']) {
    expect(await catchRejection(api.get(otherOwner, id))).toEqual(notFound)
    expect(await catchRejection(api.update(otherOwner, id, { content_html: 'Mine' }))).toEqual(notFound)
    expect(await catchRejection(api.remove(otherOwner, id))).toEqual(notFound)
  }
  expect((await api.list(otherOwner, { entity: 'people', id: person.id })).data).toEqual([])
  expect(await api.get(owner, activity.id)).toEqual(activity)
})

test('a member may create activities, and change unowned ones and their own', async () => {
  const { api, owner, ann, ben } = await setUpPerson()
  const forbidden = (operation: string) => ({
    code: 'forbidden',
    message: `You do not have permission to ${operation} this activity.`,
  })
  const unownedActivity = await api.create(ann, { content_html: 'Hi' })
  const ownedByAnn = await api.create(ann, { content_html: 'Hi', owner_email: ANN.email })
  const ownedByOlga = await api.create(owner, { content_html: 'Hi', owner_email: OWNER.email })
  const fields = { owner_email: 'A member may set only itself or nobody as the owner.' }
  expect(await catchRejection(api.create(ann, { content_html: 'Hi', owner_email: BEN.email }))).toEqual({
    ...forbidden('create'),
    fields,
  })
  for (const { id } of [ownedByAnn, ownedByOlga]) {
    expect(await catchRejection(api.update(ben, id, { content_html: 'Ho' }))).toEqual(forbidden('update'))
    expect(await catchRejection(api.remove(ben, id))).toEqual(forbidden('delete'))
  }
  expect(await catchRejection(api.update(ben, unownedActivity.id, { owner_email: ANN.email }))).toEqual({
    ...forbidden('update'),
    fields,
  })
  await api.update(ben, unownedActivity.id, { owner_email: BEN.email })
  await api.remove(ben, unownedActivity.id)
  await api.remove(owner, ownedByAnn.id)
})

test('each operation checks its scope first', async () => {
  const { api, owner } = await setUpPerson()
  const [reader, writer] = ['activities:read', 'activities:write'].map((scope) => ({
    ...owner,
    scopes: new Set([scope]),
  }))
  const insufficientScope = (scope: string) => ({
    code: 'insufficient_scope',
    message: `This endpoint requires the '${scope}' scope.`,
  })
  const reads = [
    (actor: typeof owner) => api.list(actor, {} as never),
    (actor: typeof owner) => api.get(actor, UNKNOWN_ID),
  ]
  const writes = [
    (actor: typeof owner) => api.create(actor, {} as never),
    (actor: typeof owner) => api.update(actor, UNKNOWN_ID, {}),
    (actor: typeof owner) => api.remove(actor, UNKNOWN_ID),
  ]
  for (const read of reads)
    expect(await catchRejection(read(writer!))).toEqual(insufficientScope('activities:read'))
  for (const write of writes)
    expect(await catchRejection(write(reader!))).toEqual(insufficientScope('activities:write'))
})
