import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ANN,
  BEN,
  catchFieldErrors,
  catchRejection,
  createTestCrm,
  OWNER,
  UNKNOWN_ID,
} from '../../test/harness.ts'
import type { Actor } from '../kernel/actor.ts'

const NO_FIELDS = { code: 'bad_request', message: 'No fields provided for update.' }

function withScopes(actor: Actor, ...scopes: string[]): Actor {
  return { ...actor, scopes: new Set(scopes) }
}

describe.each([
  ['companies', 'companies', { full_name: 'A' }],
  ['deals', 'deals', { name: 'A' }],
  ['people', 'people', { full_name: 'A' }],
  ['pipelines', 'deals', { name: 'A' }],
  ['taskTypes', 'tasks', { title: 'A' }],
  ['tasks', 'tasks', { title: 'A' }],
] as const)('%s', (kind, family, change) => {
  test('require one scope for reading and another for writing', async () => {
    const { crm, owner } = await createTestCrm()
    const [reader, writer] = [withScopes(owner, `${family}:read`), withScopes(owner, `${family}:write`)]
    const missing = (scope: string) => ({
      code: 'insufficient_scope',
      message: `This endpoint requires the '${family}:${scope}' scope.`,
    })
    expect(await catchRejection(crm[kind].list(writer))).toEqual(missing('read'))
    expect(await catchRejection(crm[kind].get(writer, UNKNOWN_ID))).toEqual(missing('read'))
    expect(await catchRejection(crm[kind].create(reader, {} as never))).toEqual(missing('write'))
    expect(await catchRejection(crm[kind].update(reader, UNKNOWN_ID, {}))).toEqual(missing('write'))
    expect(await catchRejection(crm[kind].remove(reader, UNKNOWN_ID))).toEqual(missing('write'))
    expect((await crm[kind].list(reader)).meta.page).toBe(1)
  })

  test.each([UNKNOWN_ID, 'x', '', '__proto__', `${UNKNOWN_ID}\n`, '1'.repeat(10_000)])(
    'are not found under any other id',
    async (id) => {
      const { crm, owner } = await createTestCrm()
      for (const work of [
        () => crm[kind].get(owner, id),
        () => crm[kind].update(owner, id, change),
        () => crm[kind].remove(owner, id),
      ]) {
        expect(await catchRejection(work)).toMatchObject({ code: 'not_found' })
      }
    },
  )

  test('reject an unknown parameter of a list', async () => {
    const { crm, owner } = await createTestCrm()
    expect(await catchFieldErrors(crm[kind].list(owner, { per_pag: 5 } as never))).toEqual({
      per_pag: 'Unknown parameter. Did you mean "per_page"?',
    })
  })
})

describe('the order of the checks', () => {
  test('is scope, empty update, validation, existence, references, permission', async () => {
    const { crm, owner, ann } = await createTestCrm()
    const { id } = await crm.people.create(owner, { full_name: 'A', owner_email: OWNER.email })
    const bad = { full_name: '', company_id: UNKNOWN_ID }
    const dangling = { company_id: UNKNOWN_ID }
    expect(await catchRejection(crm.people.update(withScopes(ann), UNKNOWN_ID, {}))).toMatchObject({
      code: 'insufficient_scope',
    })
    expect(await catchRejection(crm.people.update(ann, UNKNOWN_ID, {}))).toEqual(NO_FIELDS)
    expect(await catchFieldErrors(crm.people.update(ann, UNKNOWN_ID, bad))).toEqual({
      full_name: 'Required.',
    })
    expect(await catchRejection(crm.people.update(ann, UNKNOWN_ID, dangling))).toMatchObject({
      code: 'not_found',
    })
    expect(await catchFieldErrors(crm.people.update(ann, id, dangling))).toEqual({
      company_id: 'Company not found.',
    })
    expect(await catchRejection(crm.people.update(ann, id, { score: 1 }))).toMatchObject({
      code: 'forbidden',
    })
    expect(
      await catchFieldErrors(
        crm.people.create(ann, { full_name: 'B', owner_email: OWNER.email, ...dangling }),
      ),
    ).toEqual({
      company_id: 'Company not found.',
    })
  })
})

test.each([null, undefined, 'text', 5])('%j is not a record', async (input) => {
  const { crm, owner } = await createTestCrm()
  expect(await catchFieldErrors(crm.people.create(owner, input as never))).toHaveProperty('body')
  expect(await catchRejection(crm.people.update(owner, UNKNOWN_ID, input as never))).toEqual(NO_FIELDS)
})

describe('a member', () => {
  test('may write their own and unowned records', async () => {
    const { crm, owner, ann } = await createTestCrm()
    const free = await crm.tasks.create(owner, { title: 'Free' })
    const mine = await crm.tasks.create(ann, { title: 'Mine', owner_user_id: ann.userId })
    expect((await crm.tasks.update(ann, free.id, { owner_email: ANN.email })).owner).toMatchObject(ANN)
    expect((await crm.tasks.update(ann, mine.id, { owner_email: null })).owner).toBeNull()
    await crm.tasks.remove(ann, mine.id)
  })

  test('may not write records that another member owns or would own', async () => {
    const { crm, owner, ann, ben } = await createTestCrm()
    const { id } = await crm.tasks.create(owner, { title: 'A', owner_user_id: ben.userId })
    const own = await crm.tasks.create(ann, { title: 'B', owner_user_id: ann.userId })
    const denied = (operation: string) => ({
      code: 'forbidden',
      message: `You do not have permission to ${operation} this task.`,
    })
    const rule = 'A member may set only itself or nobody as the owner.'
    expect(await catchRejection(crm.tasks.create(ann, { title: 'C', owner_user_id: ben.userId }))).toEqual({
      ...denied('create'),
      fields: { owner_user_id: rule },
    })
    expect(await catchRejection(crm.tasks.create(ann, { title: 'C', owner_email: BEN.email }))).toEqual({
      ...denied('create'),
      fields: { owner_email: rule },
    })
    expect(await catchRejection(crm.tasks.update(ann, own.id, { owner_email: BEN.email }))).toEqual({
      ...denied('update'),
      fields: { owner_email: rule },
    })
    expect(await catchRejection(crm.tasks.update(ann, id, { title: 'C' }))).toEqual(denied('update'))
    expect(await catchRejection(crm.tasks.update(ann, id, { owner_user_id: ann.userId }))).toEqual(
      denied('update'),
    )
    expect(await catchRejection(crm.tasks.update(ann, own.id, { owner_user_id: ben.userId }))).toEqual({
      ...denied('update'),
      fields: { owner_user_id: rule },
    })
    expect(await catchRejection(crm.tasks.remove(ann, id))).toEqual(denied('delete'))
    expect((await crm.tasks.list(owner)).data.map(({ title }) => title)).toEqual(['B', 'A'])
    expect(await crm.tasks.get(ann, id)).toMatchObject({ title: 'A' })
  })
})

describe('records of a member who has left', () => {
  test('can be written by members like unowned ones', async () => {
    const { crm, owner, ann, ben } = await createTestCrm()
    const { id } = await crm.tasks.create(owner, { title: 'A', owner_user_id: ben.userId })
    const other = await crm.tasks.create(owner, { title: 'B', owner_user_id: ben.userId })
    await crm.operator.removeMember({ workspace: 'acme', email: BEN.email })
    expect(await crm.tasks.update(ann, id, { title: 'C' })).toMatchObject({ title: 'C', owner: null })
    expect((await crm.tasks.update(ann, id, { owner_user_id: ann.userId })).owner).toMatchObject(ANN)
    await crm.tasks.remove(ann, other.id)
    expect((await crm.tasks.list(owner)).data.map(({ title }) => title)).toEqual(['C'])
  })

  test('belong to the member again after their return', async () => {
    const { crm, owner, ann, ben } = await createTestCrm()
    const { id } = await crm.tasks.create(owner, { title: 'A', owner_user_id: ben.userId })
    await crm.operator.removeMember({ workspace: 'acme', email: BEN.email })
    await crm.operator.addMember({ workspace: 'acme', ...BEN, role: 'member' })
    expect(await catchRejection(crm.tasks.update(ann, id, { title: 'C' }))).toMatchObject({
      code: 'forbidden',
    })
    expect(await catchRejection(crm.tasks.remove(ann, id))).toMatchObject({ code: 'forbidden' })
  })
})

test('an update with the current values changes nothing', async () => {
  const { crm, owner, clock } = await createTestCrm()
  const emails = [{ email: 'a@b.co', type: 'work' as const }]
  const person = await crm.people.create(owner, { full_name: 'A', emails, score: 0, owner_email: ANN.email })
  clock.advance(60)
  for (const same of [
    { full_name: ' A ' },
    { emails: [{ email: 'a@b.co' }] },
    { owner_email: 'ANN@acme.example' },
    { position: null },
    { score: -0 },
  ]) {
    expect(await crm.people.update(owner, person.id, same)).toEqual(person)
  }
  expect(await crm.people.get(owner, person.id)).toEqual(person)
})

describe('the entity code', () => {
  const repeating = (times: number) => {
    let calls = 0
    return (count: number) => {
      calls += 1
      return new Uint8Array(count).fill(calls <= times ? 7 : calls % 32)
    }
  }

  test('is generated again if it exists, also for a deleted record', async () => {
    const { crm, owner } = await createTestCrm({ random: repeating(5) })
    const first = await crm.people.create(owner, { full_name: 'A' })
    await crm.people.remove(owner, first.id)
    const second = await crm.people.create(owner, { full_name: 'B' })
    expect([first.entity_id, second.entity_id]).toEqual(['P-7777777', 'P-6666666'])
    expect((await crm.people.list(owner)).data.map(({ full_name }) => full_name)).toEqual(['B'])
  })

  test('can equal one of another entity or workspace', async () => {
    const { crm, owner, otherOwner } = await createTestCrm({ random: repeating(1000) })
    expect((await crm.people.create(owner, { full_name: 'A' })).entity_id).toBe('P-7777777')
    expect((await crm.companies.create(owner, { full_name: 'A' })).entity_id).toBe('C-7777777')
    expect((await crm.people.create(otherOwner, { full_name: 'A' })).entity_id).toBe('P-7777777')
  })

  test('that is never unique leads to a conflict after a bounded number of attempts', async () => {
    const { crm, owner } = await createTestCrm({ random: repeating(1000) })
    await crm.people.create(owner, { full_name: 'A' })
    expect(await catchRejection(crm.people.create(owner, { full_name: 'B' }))).toMatchObject({
      code: 'conflict',
      fields: { entity_id: expect.any(String) },
    })
  })

  test('stays with its record', async () => {
    const { crm, owner } = await createTestCrm()
    const { id, entity_id } = await crm.people.create(owner, { full_name: 'A' })
    expect((await crm.people.update(owner, id, { full_name: 'B' })).entity_id).toBe(entity_id)
  })
})

describe('a list', () => {
  test('past its end is empty and has the total', async () => {
    const { crm, owner } = await createTestCrm()
    await crm.companies.create(owner, { full_name: 'A' })
    expect(await crm.companies.list(owner, { page: '9007199254740991' as never, per_page: 100 })).toEqual({
      data: [],
      meta: { total: 1, page: 9007199254740991, per_page: 100, has_more: false },
    })
  })

  test('contains one workspace only', async () => {
    const { crm, owner, otherOwner } = await createTestCrm()
    await crm.companies.create(owner, { full_name: 'A' })
    expect((await crm.companies.list(otherOwner)).data).toEqual([])
  })

  test('read page by page contains each record once', async () => {
    const names = fc.array(fc.constantFrom('Ana', 'ana', 'Bia', 'Éva', 'Zoe', '😀', '\uffff'), {
      maxLength: 12,
    })
    const orders = fc.record({
      order_by: fc.constantFrom('created_at', 'full_name'),
      order: fc.constantFrom('asc', 'desc'),
    } as const)
    await fc.assert(
      fc.asyncProperty(names, fc.integer({ min: 1, max: 5 }), orders, async (fullNames, per_page, order) => {
        const { crm, owner } = await createTestCrm()
        for (const full_name of fullNames) await crm.companies.create(owner, { full_name })
        const { data: whole } = await crm.companies.list(owner, order)
        const paged = []
        for (let page = 1, more = true; more; page += 1) {
          const { data, meta } = await crm.companies.list(owner, { ...order, page, per_page })
          expect(meta).toMatchObject({ total: fullNames.length, page, per_page })
          expect(data.length).toBeLessThanOrEqual(per_page)
          paged.push(...data)
          more = meta.has_more
        }
        expect(paged).toEqual(whole)
        expect(new Set(whole.map(({ id }) => id)).size).toBe(fullNames.length)
      }),
      { numRuns: 30 },
    )
  })
})

test('two updates of different fields equal one update of both', async () => {
  const change = fc.record(
    {
      full_name: fc.constantFrom('A', 'B'),
      emails: fc.uniqueArray(fc.record({ email: fc.constantFrom('a@b.co', 'c@d.co') }), {
        maxLength: 2,
        selector: ({ email }) => email,
      }),
      score: fc.integer({ min: 0, max: 100 }),
      position: fc.constantFrom(null, 'Buyer'),
      avatar_url: fc.constantFrom(null, 'https://a.co/x.png'),
      owner_email: fc.constantFrom(null, ANN.email),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(
      change,
      fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
      async (fields, sides) => {
        const part = (side: boolean) =>
          Object.fromEntries(Object.entries(fields).filter((_, index) => sides[index] === side))
        const [left, right] = [part(true), part(false)]
        fc.pre(Object.keys(left).length > 0 && Object.keys(right).length > 0)
        const { crm, owner } = await createTestCrm()
        const [one, two] = [
          await crm.people.create(owner, { full_name: 'A' }),
          await crm.people.create(owner, { full_name: 'A' }),
        ]
        const atOnce = await crm.people.update(owner, one.id, fields)
        await crm.people.update(owner, two.id, left)
        const inTwo = await crm.people.update(owner, two.id, right)
        expect(inTwo).toEqual({ ...atOnce, id: two.id, entity_id: two.entity_id })
      },
    ),
    { numRuns: 40 },
  )
})
