import { expect, test } from 'vitest'
import { dataOf } from '../support/record-kind-cases.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

describeEachStore('POST /v1/{kind}/{id}/memberships', (open) => {
  test('adds and removes single tags and lists, and leaves the others', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const [hot, cold] = [
      await create(acme, 'tags', { name: 'Hot' }),
      await create(acme, 'tags', { name: 'Cold' }),
    ]
    const list = await create(acme, 'lists', { name: 'Fair' })
    for (const [kind, input] of [
      ['people', { full_name: 'Ana' }],
      ['companies', { full_name: 'Acme' }],
      ['deals', { name: 'Chairs' }],
    ] as const) {
      if (kind === 'deals') await create(acme, 'pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
      const record = await create(acme, kind, { ...input, tags: [hot.id] })
      const path = `/v1/${kind}/${record.id}/memberships`
      const added = await acme.call('POST', path, { add_tags: ['cold'], add_lists: [list.id] })
      expect(added.status).toBe(200)
      expect(dataOf(added)).toMatchObject({
        id: record.id,
        tags: [{ id: hot.id }, { id: cold.id }],
        lists: [{ id: list.id }],
      })
      const { updated_at } = dataOf(added) as { readonly updated_at: string }
      const again = await acme.call('POST', path, { add_tags: ['cold'], remove_lists: [cold.id] })
      expect(dataOf(again)).toMatchObject({ updated_at, lists: [{ id: list.id }] })
      const removed = await acme.call('POST', path, { remove_tags: [hot.id, cold.id], remove_lists: null })
      expect(dataOf(removed)).toMatchObject({ tags: [], lists: [{ id: list.id }] })
    }
  })

  test('keeps the tags that twenty calls add at the same time', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const tags = await Promise.all(
      Array.from({ length: 20 }, (_, nth) => create(acme, 'tags', { name: `Tag ${nth}` })),
    )
    const { id } = await create(acme, 'people', { full_name: 'Ana' })
    const responses = await Promise.all(
      tags.map((tag) => acme.call('POST', `/v1/people/${id}/memberships`, { add_tags: [tag.id] })),
    )
    expect(responses.map(({ status }) => status)).toEqual(tags.map(() => 200))
    const data = dataOf(await acme.call('GET', `/v1/people/${id}`)) as {
      readonly tags: readonly { readonly id: string }[]
    }
    expect(data.tags.map((tag) => tag.id).toSorted()).toEqual(tags.map((tag) => tag.id).toSorted())
  })

  test('rejects what names nothing, and changes nothing', async () => {
    const service = await openService(await open())
    const [acme, other] = [await openWorkspace(service), await openWorkspace(service)]
    const { id } = await create(acme, 'people', { full_name: 'Ana' })
    const foreign = await create(other, 'tags', { name: 'Theirs' })
    const path = `/v1/people/${id}/memberships`
    expect(errorOf(await acme.call('POST', path, { add_tags: [foreign.id] }))).toMatchObject({
      code: 'validation_error',
      fields: { 'add_tags[0]': 'Tag not found.' },
    })
    expect(errorOf(await acme.call('POST', path, {}))).toMatchObject({
      fields: { add_tags: 'At least one of add_tags, remove_tags, add_lists and remove_lists is required.' },
    })
    expect(errorOf(await acme.call('POST', path, { tags: [foreign.id] }))).toMatchObject({
      code: 'validation_error',
      fields: { tags: 'Unknown field.' },
    })
    expect(errorOf(await acme.call('POST', path, { add_lists: ['\ud800'] }))).toMatchObject({
      fields: { 'add_lists[0]': 'Must be a UUID.' },
    })
    expect((await other.call('POST', path, { add_tags: [foreign.id] })).status).toBe(404)
    await acme.call('DELETE', `/v1/people/${id}`)
    expect((await acme.call('POST', path, { remove_tags: [foreign.id] })).status).toBe(404)
  })
})

async function create(
  workspace: Awaited<ReturnType<typeof openWorkspace>>,
  kind: string,
  input: object,
): Promise<{ readonly id: string }> {
  const response = await workspace.call('POST', `/v1/${kind}`, input)
  expect(response.status).toBe(201)
  return dataOf(response) as { readonly id: string }
}
