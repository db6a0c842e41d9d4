import { describe, expect, test } from 'vitest'
import { encodeUtf16, encodeWindows1252 } from '../../test/tables/read-all.ts'
import { detectEncoding } from './detect-encoding.ts'

describe('detectEncoding', () => {
  test.each([
    ['nothing', Buffer.alloc(0), 'utf-8'],
    ['ASCII', Buffer.from('Name;Title'), 'utf-8'],
    ['UTF-8', Buffer.from('João'), 'utf-8'],
    ['UTF-8 with a mark', Buffer.from('\uFEFFName'), 'utf-8'],
    ['UTF-8 cut within a character', Buffer.from('João €').subarray(0, -1), 'utf-8'],
    ['UTF-16 with a mark', encodeUtf16('\uFEFFИмя', 'le'), 'utf-16le'],
    ['big-endian UTF-16 with a mark', encodeUtf16('\uFEFFИмя', 'be'), 'utf-16be'],
    ['UTF-16', encodeUtf16('Nome;João', 'le'), 'utf-16le'],
    ['big-endian UTF-16', encodeUtf16('Nome;João', 'be'), 'utf-16be'],
    ['ASCII with a NUL', Buffer.from('Name\0;Title'), 'utf-8'],
  ])('detects %s', (_, head, encoding) => {
    expect(detectEncoding(head)).toEqual({ encoding, isGuess: false })
  })

  test.each(['João', 'José', 'preço em €'])('guesses Windows-1252 for %s', (text) => {
    expect(detectEncoding(encodeWindows1252(text))).toEqual({ encoding: 'windows-1252', isGuess: true })
  })
})
