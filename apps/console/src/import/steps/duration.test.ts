import { expect, test } from 'vitest'
import { stepsEn } from '../texts/steps-en.ts'
import { formatDuration } from './duration.ts'

test.each([
  [0, 'a moment'],
  [12.2, 'about 13 seconds'],
  [60, 'about 1 minute'],
  [3600, 'about 60 minutes'],
  [8220, 'about 2.3 hours'],
])('%d seconds are %s', (seconds, words) => {
  expect(formatDuration(seconds, stepsEn)).toBe(words)
})
