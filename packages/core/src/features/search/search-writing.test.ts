import { describe, expect, test } from 'vitest'
import { catchFieldErrors, createTestCrm } from '../../../test/harness.ts'
import type { Actor } from '../../kernel/actor.ts'

async function setUpWriting() {
  const base = await createTestCrm({
    sanitizeHtml: async (html) => html.replaceAll(/<script>.*?<\/script>/g, ''),
  })
  const { crm, owner } = base
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  const findTasks = async (search: string, actor: Actor = owner) => {
    const { data, meta } = await crm.tasks.list(actor, { search, order_by: 'title', order: 'asc' })
    expect(meta.total).toBe(data.length)
    return data.map(({ title }) => title).join()
  }
  const findNotes = async (search: string, actor: Actor = owner) => {
    const { activities } = await crm.searchRecords(actor, { search, kinds: 'activities' })
    expect(activities!.total).toBe(activities!.records.length)
    return activities!.records.map(({ content_html }) => content_html).join()
  }
  return { ...base, findTasks, findNotes }
}

describe('tasks', () => {
  test('are found by their title and notes, as they are now', async () => {
    const { crm, owner, findTasks } = await setUpWriting()
    const { id } = await crm.tasks.create(owner, {
      title: 'Send the proposal',
      notes: 'João asked\nfor P-116VTEQ',
    })
    await crm.tasks.create(owner, { title: 'Call' })
    for (const search of ['prop', 'joao send', 'JOÃO', 'p-116vteq'])
      expect([search, await findTasks(search)]).toEqual([search, 'Send the proposal'])
    await crm.tasks.update(owner, id, { notes: null })
    expect(await findTasks('joao')).toBe('')
    await crm.tasks.remove(owner, id)
    expect(await findTasks('proposal')).toBe('')
  })

  test('are found by external ids and shares as before', async () => {
    const { crm, owner, ann, ben, findTasks } = await setUpWriting()
    const external_ids = [{ source: 'old', id: '4711' }]
    const { id } = await crm.tasks.create(owner, { title: 'Call', external_ids, owner_user_id: owner.userId })
    await crm.workspace.update(owner, { visibility: { tasks: 'owner' } })
    await crm.tasks.setShares(owner, id, { shares: [{ member_id: ann.userId, access: 'read' }] })
    await crm.tasks.update(owner, id, { title: 'Ring' })
    expect(await findTasks('ring', ann)).toBe('Ring')
    expect(await findTasks('ring', ben)).toBe('')
    expect((await crm.tasks.list(owner, { external_id: 'old:4711' })).meta.total).toBe(1)
    expect(await findTasks('4711')).toBe('')
  })
})

describe('activities', () => {
  test('are found by their text without tags', async () => {
    const { crm, owner, otherOwner, findNotes } = await setUpWriting()
    const html =
      '<p>She wants <b>twen</b>ty <a href="https://x.example/secret">licen&ccedil;as</a></p><p>R&amp;D</p>'
    const { id } = await crm.activities.create(owner, { content_html: html })
    for (const search of ['twenty', 'LICENÇAS she', 'r&d', 'wan tw'])
      expect([search, await findNotes(search)]).toEqual([search, html])
    for (const search of ['p', 'href', 'secret', 'ccedil', 'amp', 'ty'])
      expect([search, await findNotes(search)]).toEqual([search, ''])
    expect(await findNotes('twenty', otherOwner)).toBe('')
    await crm.activities.update(owner, id, { content_html: '<p>thirty</p>' })
    expect([await findNotes('twenty'), await findNotes('thirty')]).toEqual(['', '<p>thirty</p>'])
    await crm.activities.remove(owner, id)
    expect(await findNotes('thirty')).toBe('')
  })

  test('of one record are searched in its list', async () => {
    const { crm, owner } = await setUpWriting()
    const person = await crm.people.create(owner, { full_name: 'Ana' })
    const link = { entity: 'people', entity_id: person.id } as const
    await crm.activities.create(owner, { content_html: 'the roof', ...link })
    await crm.activities.create(owner, { content_html: 'the chair', ...link })
    await crm.activities.create(owner, { content_html: 'the roof of nobody' })
    const list = (search: string) => crm.activities.list(owner, { entity: 'people', id: person.id, search })
    expect((await list('roof')).data.map(({ content_html }) => content_html)).toEqual(['the roof'])
    expect((await list('the')).meta.total).toBe(2)
    expect(await catchFieldErrors(list('\ud800'))).toEqual({ search: 'Must be valid Unicode text.' })
  })

  test('follow the record that they are about', async () => {
    const { crm, owner, ann, ben, findNotes } = await setUpWriting()
    const person = await crm.people.create(owner, { full_name: 'Ana', owner_user_id: ann.userId })
    const task = await crm.tasks.create(owner, {
      title: 'roof',
      person_id: person.id,
      owner_user_id: owner.userId,
    })
    await crm.activities.create(owner, { content_html: 'roof', entity: 'people', entity_id: person.id })
    await crm.workspace.update(owner, { visibility: { people: 'owner', tasks: 'owner' } })
    expect([await findNotes('roof', ann), await findNotes('roof', ben)]).toEqual(['roof', ''])
    const tasksOf = async (actor: Actor) =>
      (await crm.searchRecords(actor, { search: 'roof', kinds: 'tasks' })).tasks!.records.map(({ id }) => id)
    expect([await tasksOf(ann), await tasksOf(ben)]).toEqual([[task.id], []])
  })
})
