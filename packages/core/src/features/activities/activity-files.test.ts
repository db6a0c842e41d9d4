import { expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm, NOON } from '../../../test/harness.ts'
import { createEngine } from '../../crm.ts'
import { inWorkspace } from '../../engine/workspace-transaction.ts'
import { activities } from './activity.ts'
import { activityApi } from './activity-api.ts'

const UNREADABLE = 'Must be Base64 or a data URI.'

/** Where a file must begin with `ok`. */
async function fileOffice(special: Parameters<typeof createTestCrm>[0] = {}) {
  const { ports } = await createTestCrm()
  const base = await createTestCrm({
    files: {
      ...ports.files,
      decodeAttachment: async (given) =>
        given.startsWith('ok')
          ? { content: given, content_type: 'text/plain', size: given.length }
          : { error: UNREADABLE },
    },
    ...special,
  })
  const kept = (workspaceId = base.owner.workspaceId) =>
    base.storage.read(async (tx) => {
      const { activities, attachments, files } = tx.workspace(workspaceId)
      return {
        activities: await activities.find([]),
        attachments: await attachments.find([]),
        files: await files.find([]),
      }
    })
  return { ...base, api: activityApi(createEngine(base.ports)), kept }
}

const NOTHING = { activities: [], attachments: [], files: [] }

test('attachments keep their order, and each is a file to be saved at an address nobody guesses', async () => {
  const { api, owner, kept } = await fileOffice()
  const attachments = Array.from({ length: 10 }, (_, index) => ({
    filename: `${9 - index}.txt`,
    content: `ok ${'x'.repeat(index)}`,
  }))
  const made = await api.create(owner, { content_html: 'Hi', attachments })
  expect(made.attachments_count).toBe(10)
  expect(made.attachments.map(({ filename }) => filename)).toEqual(
    attachments.map(({ filename }) => filename),
  )
  expect(await api.get(owner, made.id)).toEqual(made)
  const { files } = await kept()
  const byUrl = new Map(
    files.map((file) => [`https://crm.example/files/${owner.workspaceId}/${file.key}`, file]),
  )
  expect(byUrl.size).toBe(10)
  for (const [index, { id, filename, content_type, size, url }] of made.attachments.entries()) {
    const { content } = attachments[index]!
    expect([content_type, size]).toEqual(['text/plain', content.length])
    expect(url).toMatch(/\/[0-9a-f]{64}$/)
    const stamps = { created_at: NOON, updated_at: NOON }
    expect(byUrl.get(url)).toEqual({
      id,
      key: url.slice(-64),
      filename,
      content_type,
      content,
      download: true,
      ...stamps,
    })
  }
})

test('each activity has its own attachments', async () => {
  const { api, owner, storage } = await fileOffice()
  const names = ({ attachments }: { attachments: readonly { filename: string }[] }) =>
    attachments.map(({ filename }) => filename)
  const [one, two] = [
    await api.create(owner, { content_html: '1', attachments: [{ filename: 'one', content: 'ok' }] }),
    await api.create(owner, { content_html: '2', attachments: [{ filename: 'two', content: 'ok' }] }),
  ]
  expect([names(await api.get(owner, one.id)), names(await api.get(owner, two.id))]).toEqual([
    ['one'],
    ['two'],
  ])
  const page = await storage.read(async (tx) => {
    const unit = inWorkspace(tx, owner.workspaceId)
    return activities.detailView(await unit.stores.activities.find([]), unit)
  })
  expect(page.map(names)).toEqual([['one'], ['two']])
})

test('a file that cannot be read is named together with all else that is wrong', async () => {
  const { api, owner, kept } = await fileOffice()
  const sent = {
    content_html: ' ',
    entity: 'people',
    attachments: [
      { filename: 'a', content: 'ok' },
      { filename: 'b', content: '\ud800' },
      { filename: '', content: '' },
    ],
    note: 1,
  }
  expect(await catchFieldErrors(api.create(owner, sent as never))).toEqual({
    content_html: 'Required.',
    entity_id: 'Required together with entity.',
    'attachments[1].content': UNREADABLE,
    'attachments[2].filename': 'Required.',
    'attachments[2].content': UNREADABLE,
    note: 'Unknown field.',
  })
  expect(await kept()).toEqual(NOTHING)
})

test('there are at most ten, and no file of a longer list is read', async () => {
  const { api, owner, kept } = await fileOffice()
  const attachments = Array.from({ length: 11 }, () => ({ filename: 'a', content: 'bad' }))
  expect(await catchFieldErrors(api.create(owner, { content_html: 'Hi', attachments }))).toEqual({
    attachments: 'Must have at most 10 attachments.',
  })
  expect(await kept()).toEqual(NOTHING)
})

test('a filename is one line of 1 to 255 characters, and no path', async () => {
  const { api, owner } = await fileOffice()
  const attaching = (filename: string) =>
    api.create(owner, { content_html: 'Hi', attachments: [{ filename, content: 'ok' }] })
  for (const good of ['😀'.repeat(255), '...', '.env', 'a b.pdf', 'constructor']) {
    expect((await attaching(good)).attachments[0]?.filename).toBe(good)
  }
  const bad = [
    ['', 'Required.'],
    [' ', 'Required.'],
    ['a'.repeat(256), 'Must be between 1 and 255 characters.'],
    ['a\nb', 'Must not contain control characters.'],
    ['a\0b', 'Must not contain control characters.'],
    ['a\udfff', 'Must be valid Unicode text.'],
    ['../etc/passwd', 'Must not contain slashes or backslashes.'],
    ['a\\b', 'Must not contain slashes or backslashes.'],
    ['.', 'Must be the name of a file.'],
    [' .. ', 'Must be the name of a file.'],
  ] as const
  for (const [filename, fault] of bad)
    expect(await catchFieldErrors(attaching(filename))).toEqual({ 'attachments[0].filename': fault })
})

test('files are read before the transaction begins', async () => {
  const { ports } = await createTestCrm()
  const { api, owner } = await fileOffice({
    files: { ...ports.files, decodeAttachment: async () => ({ error: `${await late()}` }) },
  })
  const late = async () => (await api.list(owner, { entity: 'people', id: owner.userId })).meta.total
  expect(
    await catchFieldErrors(
      api.create(owner, { content_html: 'Hi', attachments: [{ filename: 'a', content: 'ok' }] }),
    ),
  ).toEqual({
    'attachments[0].content': '0',
  })
})

test('an activity whose files cannot all be kept leaves nothing behind', async () => {
  const { api, owner, kept } = await fileOffice({ random: (count) => new Uint8Array(count) })
  const attachments = [
    { filename: 'a', content: 'ok' },
    { filename: 'b', content: 'ok' },
  ]
  expect(await catchRejection(api.create(owner, { content_html: 'Hi', attachments }))).toMatchObject({
    code: 'conflict',
  })
  expect(await kept()).toEqual(NOTHING)
})

test('a denied creation leaves no files behind', async () => {
  const { api, ann, owner, kept } = await fileOffice()
  const attachments = [{ filename: 'a', content: 'ok' }]
  expect(
    await catchRejection(api.create(ann, { content_html: 'Hi', owner_user_id: owner.userId, attachments })),
  ).toMatchObject({
    code: 'forbidden',
  })
  expect(await kept()).toEqual(NOTHING)
})

test('a deleted activity takes its own files along, and no others', async () => {
  const { api, owner, ann, otherOwner, kept } = await fileOffice()
  const attachments = [
    { filename: 'a', content: 'ok' },
    { filename: 'b', content: 'ok' },
  ]
  const sent = { content_html: 'Hi', attachments, owner_user_id: owner.userId }
  const [going, staying] = [await api.create(owner, sent), await api.create(owner, sent)]
  const { owner_user_id, ...theirs } = sent
  await api.create(otherOwner, theirs)
  const before = [await kept(), await kept(otherOwner.workspaceId)]

  expect(await catchRejection(api.remove(ann, going.id))).toMatchObject({ code: 'forbidden' })
  expect(await catchRejection(api.remove(otherOwner, going.id))).toMatchObject({ code: 'not_found' })
  expect([await kept(), await kept(otherOwner.workspaceId)]).toEqual(before)

  await api.remove(owner, going.id)
  const after = await kept()
  expect(after.activities.map(({ id }) => id)).toEqual([staying.id])
  expect(after.attachments.map(({ id }) => id)).toEqual(staying.attachments.map(({ id }) => id))
  expect(after.files.map(({ id }) => id)).toEqual(staying.attachments.map(({ id }) => id))
  expect(await kept(otherOwner.workspaceId)).toEqual(before[1])
})
