import { expect, test } from 'vitest'
import { createTestCrm } from '../test/harness.ts'
import { createCrm } from './crm.ts'

test.each<[object, string]>([
  [{ rule: {} }, 'createCrm has no option rule. Did you mean rules?'],
  [{ rules: { deal: [] } }, 'createCrm has no option rules.deal. Did you mean rules.deals?'],
  [
    { rules: { products: [] } },
    'createCrm has no option rules.products. Known: companies, deals, people, tasks.',
  ],
  [{ rules: { deals: () => {} } }, 'The option rules.deals of createCrm must be an array of functions.'],
  [{ rules: { tasks: ['never'] } }, 'The option rules.tasks of createCrm must be an array of functions.'],
])('createCrm rejects the options %j', async (options, message) => {
  const { ports } = await createTestCrm()
  expect(() => createCrm(ports, options)).toThrow(new TypeError(message))
})

test('createCrm needs no rules', async () => {
  const { ports } = await createTestCrm()
  for (const options of [{}, { rules: {} }, { rules: { people: [] } }])
    expect(() => createCrm(ports, options)).not.toThrow()
})

test('a missing port is named', async () => {
  const { ports } = await createTestCrm()
  const { storage, ...others } = ports
  expect(() => createCrm(others as typeof ports)).toThrow(
    new TypeError('createCrm needs the port storage: createCrm({ ...nodePorts(…), storage }).'),
  )
  expect(() => createCrm({ storage } as typeof ports)).toThrow('createCrm needs the port issuer')
  expect(() => createCrm(undefined as unknown as typeof ports)).toThrow('createCrm needs the port storage')
})

test('a storage that is still being opened is refused', async () => {
  const { ports, storage } = await createTestCrm()
  const opening = Promise.resolve(storage) as unknown as typeof storage
  expect(() => createCrm({ ...ports, storage: opening })).toThrow('or await sqliteStorage(…)')
})
