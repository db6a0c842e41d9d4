import type { Owner, StageReference } from '@sales-crm/client'
import { expect, test } from 'vitest'
import { PendingEdit } from './pending-edit.ts'
import type { FieldEdit } from './use-record-update.ts'

const stage = (name: string) => ({ id: name, name, type: 'open' }) as StageReference
const OWNER: Owner = { id: 'o', name: 'Ana', email: 'ana@demo.example' }
const toStage = (name: string): FieldEdit => ({ changes: { stage_id: name }, shown: { stage: stage(name) } })
const accept = () => Promise.resolve()
const refuse = () => Promise.reject(new Error('Refused.'))

/** Moves a deal as it is drawn, so that each test has a deal of its own. */
function move(id: string, drawn: string, to: string) {
  return new PendingEdit({ id, name: 'Deal', owner: null, stage: stage(drawn) }, () => toStage(to))
}

test('an edit begins with what is drawn, if every edit before it is answered', async () => {
  await move('answered', 'one', 'two').send(accept)
  expect(move('answered', 'three', 'four').before.stage?.name).toBe('three')
})

test('an edit begins with the fields of pending edits that are not drawn yet', () => {
  const owned = { id: 'pending', name: 'Deal', owner: OWNER, stage: stage('one') }
  new PendingEdit(owned, () => ({ changes: { owner_user_id: null }, shown: { owner: null } }))
  move('pending', 'one', 'two')
  const last = new PendingEdit({ ...owned, name: 'Renamed' }, () => toStage('three'))
  expect(last.before).toEqual({ id: 'pending', name: 'Renamed', owner: null, stage: stage('two') })
})

test('an edit begins with what was before a pending one that is refused', async () => {
  const first = move('refused', 'one', 'two')
  const second = move('refused', 'two', 'three')
  const third = move('refused', 'three', 'four')
  expect([second.before.stage?.name, third.before.stage?.name]).toEqual(['two', 'three'])
  await expect(first.send(refuse)).rejects.toThrow('Refused.')
  await expect(second.send(refuse)).rejects.toThrow('Refused.')
  expect([second.before.stage?.name, third.before.stage?.name]).toEqual(['one', 'one'])
})

test('an edit that restores sends what the answers to earlier ones leave', async () => {
  const first = move('restored', 'one', 'two')
  const second = move('restored', 'one', 'three')
  const undo = new PendingEdit(second.before, () => toStage(second.before.stage?.name ?? ''))
  expect(undo.shown).toEqual({ stage: stage('two') })
  await first.send(refuse).catch(() => {})
  await second.send(accept)
  await undo.send(async (changes) => expect(changes).toEqual({ stage_id: 'one' }))
})
