import { existsSync, readFileSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { buildDocument, operationsOf } from '../support/openapi-document.ts'

const FILE = process.env['ANSWERS_SEEN'] ?? ''

test('every status that the document tells of an operation was seen', ({ skip }) => {
  skip(!inject('isWholeRun'), 'It takes all tests of the project server, in the same run.')
  expect(existsSync(FILE), 'No answer was noted: do tests still call through test-service.ts?').toBe(true)
  const seen = new Set(readFileSync(FILE, 'utf8').split('\n'))
  const told = operationsOf(buildDocument()).flatMap(([name, { responses }]) =>
    Object.keys(responses).map((status) => `${name} ${status}`),
  )
  expect(told.length).toBeGreaterThan(400)
  expect(told.filter((answer) => !seen.has(answer))).toEqual([])
})
