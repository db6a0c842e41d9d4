import { expect, test } from 'vitest'
import { describeUnknown } from './unknown-migrations.ts'

const KNOWN = ['0001_records', '0003_associations', '0023_examples']

test.each([
  ['a newer version', ['0024_views'], /^The database was made by a newer version .*\(it has 0024_views\)/],
  ['several versions later', ['0024_views', '9999_future'], /newer version .*0024_views, 9999_future/],
  [
    'a migration that was renamed, whatever its name',
    ['0023_samples'],
    /other names \(0023_samples is 0023_examples here\)/,
  ],
  [
    'one that was renamed before a newer one',
    ['0003_links', '0024_views'],
    /other names \(0003_links is 0003_associations here\)\. Run that version/,
  ],
  ['one that this version lacks', ['0002_other'], /made by another version .*does not have: 0002_other\./],
])('tells %s', (_, unknown, message) => {
  expect(describeUnknown(unknown, KNOWN)).toMatch(message)
})
