import { expect, test } from 'vitest'
import { sqliteStorage } from '../../src/index.ts'

type Options = Parameters<typeof sqliteStorage>[0]

test.each<[unknown]>([[undefined], [{}], [{ path: 'crm.db' }], ['crm.db'], [{ file: '' }], [{ file: 1 }]])(
  'a storage without a path is refused: %j',
  async (options) => {
    await expect(sqliteStorage(options as Options)).rejects.toThrow(
      new TypeError('sqliteStorage needs the option file, a path: sqliteStorage({ file: "crm.db" }).'),
    )
  },
)

test('a database in memory is refused, and what has one is named', async () => {
  await expect(sqliteStorage({ file: ':memory:' })).rejects.toThrow('memoryStorage of @sales-crm/core/memory')
})
