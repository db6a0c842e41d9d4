import { expect, test } from 'vitest'
import { postgresStorage } from '../src/index.ts'

type Options = Parameters<typeof postgresStorage>[0]

test.each<[unknown]>([[undefined], [{}], ['postgres://localhost/crm'], [{ url: '' }], [{ url: undefined }]])(
  'a storage without a URL is refused, and connects nowhere: %j',
  async (options) => {
    await expect(postgresStorage(options as Options)).rejects.toThrow(
      /^postgresStorage needs the option url: postgresStorage\(\{ url: "postgres:/,
    )
  },
)
