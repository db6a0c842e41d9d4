import { expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm, NOON } from '../../../test/harness.ts'
import { createEngine } from '../../crm.ts'
import { inWorkspace } from '../../engine/workspace-transaction.ts'
import { activities } from './activity.ts'
import { activityApi } from './activity-api.ts'

const UNREADABLE = 'Must be Base64 or a data URI.'

/** Sets up a CRM that accepts only file content that starts with `ok`. */
async function setUpFiles(overrides: Parameters<typeof createTestCrm>[0] = {}) {
  const { ports } = await createTestCrm()
  const base = await createTestCrm({
    files: {
      ...ports.files,
      decodeAttachment: async (content) =>
        content.startsWith('ok')
          ? { content, content_type: 'text/plain', size: content.length }
          : { error: UNREADABLE },
    },
    ...overrides,
  })
  const loadRows = (workspaceId = base.owner.workspaceId) =>
    base.storage.read(async (tx) => {
      const { activities, attachments, files } = tx.workspace(workspaceId)
      return {
        activities: await activities.find([]),
        attachments: await attachments.find([]),
        files: await files.find([]),
      }
    })
  return { ...base, api: activityApi(createEngine(base.ports)), loadRows }
}

const NO_ROWS = { activities: [], attachments: [], files: [] }

test('attachments keep their order, and each is a downloadable file at an unguessable URL', async () => {
  const { api, owner, loadRows } = await setUpFiles()
  const attachments = Array.from({ length: 10 }, (_, index) => ({
    filename: `${9 - index}.txt`,
    content: `ok ${'x'.repeat(index)}`,
  }))
  const activity = await api.create(owner, { content_html: 'Hi', attachments })
  expect(activity.attachments_count).toBe(10)
  expect(activity.attachments.map(({ filename }) => filename)).toEqual(
    attachments.map(({ filename }) => filename),
  )
  expect(await api.get(owner, activity.id)).toEqual(activity)
  const { files } = await loadRows()
  const byUrl = new Map(
    files.map((file) => [`https://crm.example/files/${owner.workspaceId}/${file.key}`, file]),
  )
  expect(byUrl.size).toBe(10)
  for (const [index, { id, filename, content_type, size, url }] of activity.attachments.entries()) {
    const { content } = attachments[index]!
    expect([content_type, size]).toEqual(['text/plain', content.length])
    expect(url).toMatch(/\/[0-9a-f]{64}$/)
    const timestamps = { created_at: NOON, updated_at: NOON }
    expect(byUrl.get(url)).toEqual({
      id,
      key: url.slice(-64),
      filename,
      content_type,
      content,
      download: true,
      ...timestamps,
    })
  }
})

test('each activity has its own attachments', async () => {
  const { api, owner, storage } = await setUpFiles()
  const names = ({ attachments }: { attachments: readonly { filename: string }[] }) =>
    attachments.map(({ filename }) => filename)
  const [first, second] = [
    await api.create(owner, { content_html: '1', attachments: [{ filename: 'one', content: 'ok' }] }),
    await api.create(owner, { content_html: '2', attachments: [{ filename: 'two', content: 'ok' }] }),
  ]
  expect([names(await api.get(owner, first.id)), names(await api.get(owner, second.id))]).toEqual([
    ['one'],
    ['two'],
  ])
  const page = await storage.read(async (tx) => {
    const transaction = inWorkspace(tx, owner, { issuer: 'https://crm.example', now: () => NOON })
    return activities.detailView(await transaction.stores.activities.find([]), transaction)
  })
  expect(page.map(names)).toEqual([['one'], ['two']])
})

test('a file that cannot be decoded is reported together with all other errors', async () => {
  const { api, owner, loadRows } = await setUpFiles()
  const input = {
    content_html: ' ',
    entity: 'people',
    attachments: [
      { filename: 'a', content: 'ok' },
      { filename: 'b', content: '\ud800' },
      { filename: '', content: '' },
    ],
    note: 1,
  }
  expect(await catchFieldErrors(api.create(owner, input as never))).toEqual({
    content_html: 'Required.',
    entity_id: 'Required together with entity.',
    'attachments[1].content': UNREADABLE,
    'attachments[2].filename': 'Required.',
    'attachments[2].content': UNREADABLE,
    note: 'Unknown field.',
  })
  expect(await loadRows()).toEqual(NO_ROWS)
})

test('an activity has at most ten attachments, and no file of a longer list is decoded', async () => {
  const { api, owner, loadRows } = await setUpFiles()
  const attachments = Array.from({ length: 11 }, () => ({ filename: 'a', content: 'bad' }))
  expect(await catchFieldErrors(api.create(owner, { content_html: 'Hi', attachments }))).toEqual({
    attachments: 'Must have at most 10 attachments.',
  })
  expect(await loadRows()).toEqual(NO_ROWS)
})

test('a filename is one line of 1 to 255 characters, and no path', async () => {
  const { api, owner } = await setUpFiles()
  const createWithFile = (filename: string) =>
    api.create(owner, { content_html: 'Hi', attachments: [{ filename, content: 'ok' }] })
  for (const filename of ['😀'.repeat(255), '...', '.env', 'a b.pdf', 'constructor']) {
    expect((await createWithFile(filename)).attachments[0]?.filename).toBe(filename)
  }
  const cases = [
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
  for (const [filename, message] of cases)
    expect(await catchFieldErrors(createWithFile(filename))).toEqual({ 'attachments[0].filename': message })
})

test('files are decoded before the transaction begins', async () => {
  const { ports } = await createTestCrm()
  const { api, owner } = await setUpFiles({
    files: { ...ports.files, decodeAttachment: async () => ({ error: `${await countActivities()}` }) },
  })
  const countActivities = async () =>
    (await api.list(owner, { entity: 'people', id: owner.userId })).meta.total
  expect(
    await catchFieldErrors(
      api.create(owner, { content_html: 'Hi', attachments: [{ filename: 'a', content: 'ok' }] }),
    ),
  ).toEqual({
    'attachments[0].content': '0',
  })
})

test('an activity whose files cannot all be stored is rolled back', async () => {
  const { api, owner, loadRows } = await setUpFiles({ random: (count) => new Uint8Array(count) })
  const attachments = [
    { filename: 'a', content: 'ok' },
    { filename: 'b', content: 'ok' },
  ]
  expect(await catchRejection(api.create(owner, { content_html: 'Hi', attachments }))).toMatchObject({
    code: 'conflict',
  })
  expect(await loadRows()).toEqual(NO_ROWS)
})

test('a forbidden creation stores no files', async () => {
  const { api, ann, owner, loadRows } = await setUpFiles()
  const attachments = [{ filename: 'a', content: 'ok' }]
  expect(
    await catchRejection(api.create(ann, { content_html: 'Hi', owner_user_id: owner.userId, attachments })),
  ).toMatchObject({
    code: 'forbidden',
  })
  expect(await loadRows()).toEqual(NO_ROWS)
})

test('deleting an activity deletes its own files and no others', async () => {
  const { api, owner, ann, otherOwner, loadRows } = await setUpFiles()
  const attachments = [
    { filename: 'a', content: 'ok' },
    { filename: 'b', content: 'ok' },
  ]
  const input = { content_html: 'Hi', attachments, owner_user_id: owner.userId }
  const [activity, otherActivity] = [await api.create(owner, input), await api.create(owner, input)]
  const { owner_user_id, ...unownedInput } = input
  await api.create(otherOwner, unownedInput)
  const before = [await loadRows(), await loadRows(otherOwner.workspaceId)]

  expect(await catchRejection(api.remove(ann, activity.id))).toMatchObject({ code: 'forbidden' })
  expect(await catchRejection(api.remove(otherOwner, activity.id))).toMatchObject({ code: 'not_found' })
  expect([await loadRows(), await loadRows(otherOwner.workspaceId)]).toEqual(before)

  await api.remove(owner, activity.id)
  const after = await loadRows()
  expect(after.activities.map(({ id }) => id)).toEqual([otherActivity.id])
  expect(after.attachments.map(({ id }) => id)).toEqual(otherActivity.attachments.map(({ id }) => id))
  expect(after.files.map(({ id }) => id)).toEqual(otherActivity.attachments.map(({ id }) => id))
  expect(await loadRows(otherOwner.workspaceId)).toEqual(before[1])
})
