import { expect, test } from 'vitest'
import { formatBody } from './format-body.ts'

test('indents JSON and leaves other text', () => {
  expect(formatBody('{"id":"1","tag":{"name":"<b>"}}')).toBe(
    '{\n  "id": "1",\n  "tag": {\n    "name": "<b>"\n  }\n}',
  )
  expect(formatBody('not JSON')).toBe('not JSON')
})
