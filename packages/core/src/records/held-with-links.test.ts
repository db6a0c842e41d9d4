import { expect, test } from 'vitest'
import { office } from '../../test/harness.ts'
import { memoryStorage } from '../memory/index.ts'
import type { Storage, Transaction } from '../ports.ts'

/** A memory that says how tasks are held. */
function watchedStorage() {
  const sound = memoryStorage()
  const along: (string | undefined)[] = []
  const watched = (tx: Transaction): Transaction => ({
    ...tx,
    workspace(id) {
      const stores = tx.workspace(id)
      const getForUpdate: typeof stores.tasks.getForUpdate = (task, links) => {
        along.push(links)
        return stores.tasks.getForUpdate(task, links)
      }
      return { ...stores, tasks: { ...stores.tasks, getForUpdate } }
    },
  })
  const storage: Storage = { ...sound, transact: (work) => sound.transact((tx) => work(watched(tx))) }
  return { storage, along }
}

test('what is changed is asked for with its links, which the answer shows, and what is deleted is not', async () => {
  const { storage, along } = watchedStorage()
  const { crm, owner } = await office({ storage })
  const { id } = await crm.tasks.create(owner, { title: 'Call', due_date: '2026-03-01T12:00:00Z' })
  await crm.tasks.update(owner, id, { title: 'Write' })
  await crm.tasks.remove(owner, id)
  expect(along).toEqual(['links', undefined])
})
