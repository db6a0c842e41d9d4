import { existsSync, readFileSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { buildDocument, operationsOf } from '../support/openapi-document.ts'

const FILE = process.env['SEEN_RESPONSES'] ?? ''

test('every documented status of an operation occurred in a test', ({ skip }) => {
  skip(!inject('isWholeRun'), 'Requires all tests of the project server in the same run.')
  expect(existsSync(FILE), 'No response was recorded: do tests still call through test-service.ts?').toBe(
    true,
  )
  const seen = new Set(readFileSync(FILE, 'utf8').split('\n'))
  const documented = operationsOf(buildDocument()).flatMap(([name, { responses }]) =>
    Object.keys(responses).map((status) => `${name} ${status}`),
  )
  expect(documented.length).toBeGreaterThan(400)
  expect(documented.filter((status) => !seen.has(status))).toEqual([])
})
