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
