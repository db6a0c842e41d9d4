import { describe, expect, test } from 'vitest'
import { detectDelimiter } from './detect-delimiter.ts'

describe('detectDelimiter', () => {
  test.each([
    ['Name,Title\nAna,CEO\n', ','],
    ['Nome;Cargo\r\nAna;CEO, CFO\r\n', ';'],
    ['Name\tTitle\rAna\tCEO; CFO\r', '\t'],
    ['Name|Title\nAna|CEO\n', '|'],
    ['sep=;\nName,Title;Age\n', ';'],
    ['\uFEFFSEP=\t\r\nName,Title\tAge\r\n', '\t'],
    ['"Name; alias; nick",Title\nAna,CEO\n', ','],
    ['"Name, or\nalias, or nick";Title\nAna;"CEO, CFO, CTO"\n', ';'],
    ['Item;Size\nTV;55", new\nTV;65", used, old\n', ';'],
    ['1,50;2,75\n3,25;1,00\n', ';'],
    ['Nome, apelido;Valor\nAna;1,50\nBia;2,75\n', ';'],
    ['Name,Note,Tags\nAna,a;b\nBia,a;b;c;d,x\n', ','],
    ['Name\nAna\n', ','],
    ['Name;Title', ';'],
    ['', ','],
  ])('detects the delimiter of %j', (text, delimiter) => {
    expect(detectDelimiter(text)).toBe(delimiter)
  })

  test('does not judge by a last row that may be cut', () => {
    expect(detectDelimiter('Name;Title\nAna;a,b,c,d\nBia, Caio, Davi, Eva')).toBe(';')
  })
})
