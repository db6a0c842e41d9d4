import { expect, test } from 'vitest'
import { ANN, catchRejection, createTestCrm } from '../../../test/harness.ts'
import { CONSOLE_CLIENT_ID } from '../../kernel/console-client.ts'

test('a calendar has the open tasks of its member, until its address ends', async () => {
  const { crm, owner, ann, ben } = await createTestCrm()
  const inConsole = { ...ann, clientId: CONSOLE_CLIENT_ID }
  const create = (title: string, input: object) =>
    crm.tasks.create(owner, { title, type: 'call', owner_user_id: ann.userId, ...input })
  const due_date = '2026-03-05T12:00:00Z'
  await create('Mine', { due_date, notes: 'Secret' })
  await create('Of Ben', { due_date, owner_user_id: ben.userId })
  await create('Done', { due_date, completed: true })
  await create('Some day', {})
  await create('Long ago', { due_date: '2025-03-05T12:00:00Z' })
  const tokenOf = ({ url }: { readonly url: string }) => /([^/]+)\.ics$/.exec(url)![1]!
  const first = tokenOf(await crm.calendar.createFeed(inConsole))
  const calendar = await crm.calendar.read(first)
  expect(calendar.match(/^SUMMARY:.*$/gm)).toEqual(['SUMMARY:Mine'])
  expect(calendar).not.toContain('Secret')

  const second = tokenOf(await crm.calendar.createFeed(inConsole))
  const refused = { code: 'not_found', message: 'Calendar not found.' }
  expect(await catchRejection(crm.calendar.read(first))).toEqual(refused)
  for (const text of ['', 'crm_cf_', `${second}0`, second.replace('crm_cf_', 'crm_of_')])
    expect(await catchRejection(crm.calendar.read(text)), text).toEqual(refused)
  expect(await crm.calendar.read(second)).toContain('Mine')
  await crm.calendar.removeFeed(inConsole)
  await crm.calendar.removeFeed(inConsole)
  expect(await catchRejection(crm.calendar.read(second))).toEqual(refused)

  const third = tokenOf(await crm.calendar.createFeed(inConsole))
  expect(await catchRejection(crm.calendar.createFeed(ann))).toMatchObject({ code: 'forbidden' })
  await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
  expect(await catchRejection(crm.calendar.read(third))).toEqual(refused)
  expect(await catchRejection(crm.calendar.createFeed(inConsole))).toMatchObject({ code: 'not_found' })
})
