import { expect, test } from 'vitest'
import { createTestCrm } from '../../../test/harness.ts'
import { readDomain } from './read-domain.ts'

test.each([
  ['https://www.Acme.example/about?a=1', 'acme.example'],
  ['http://crm.acme.example:8080', 'crm.acme.example'],
  ['acme.example.', 'acme.example'],
  [' www.acme.example ', 'acme.example'],
  ['https://localhost', undefined],
  ['Acme', undefined],
  ['', undefined],
])('the domain of %j is %j', (website, domain) => {
  expect(readDomain(website)).toBe(domain)
})

test('a company is found by the domain of its website', async () => {
  const { crm, owner, ports } = await createTestCrm()
  const { id } = await crm.companies.create(owner, { full_name: 'Acme', website: 'https://www.acme.example' })
  const facet = '_domain_acme_2eexample'
  const found = await ports.storage.read((tx) =>
    tx.workspace(owner.workspaceId).companies.find([{ field: 'search_terms', hasTerm: facet }]),
  )
  expect(found.map((company) => company.id)).toEqual([id])
})
