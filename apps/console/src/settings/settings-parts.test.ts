import { describe, expect, test } from 'vitest'
import { findPart } from './settings-parts.ts'

describe('findPart', () => {
  test('finds the part of a page inside it', () => {
    expect(findPart('/settings/pipelines/01a2')?.name).toBe('pipelines')
    expect(findPart('/settings/tags')?.name).toBe('tags')
  })

  test('shows the first part for the settings themselves', () => {
    expect(findPart('/settings')?.name).toBe('workspace')
  })

  test('finds none for an unknown path', () => {
    expect(findPart('/settings/tagsy')).toBeUndefined()
  })
})
