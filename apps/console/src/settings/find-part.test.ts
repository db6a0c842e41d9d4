import { describe, expect, test } from 'vitest'
import { findPart } from './find-part.ts'

const find = (path: string) => findPart(PARTS, path)?.path
const PARTS = [{ path: '/settings/workspace' }, { path: '/settings/tags' }, { path: '/settings/pipelines' }]

describe('findPart', () => {
  test('finds the part of a page inside it', () => {
    expect(find('/settings/pipelines/01a2')).toBe('/settings/pipelines')
    expect(find('/settings/tags')).toBe('/settings/tags')
  })

  test('shows the first part for the settings themselves', () => {
    expect(find('/settings')).toBe('/settings/workspace')
    expect(find('/settings/')).toBe('/settings/workspace')
  })

  test('finds none for an unknown path', () => {
    expect(find('/settings/tagsy')).toBeUndefined()
  })
})
