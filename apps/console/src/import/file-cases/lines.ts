import type { FileCase, FileRecord } from './file-case.ts'

const TWO_ROWS: readonly FileRecord[] = [
  { full_name: 'A B', emails: [{ email: 'ab@x.example', type: 'work' }] },
  { full_name: 'C D', emails: [{ email: 'cd@x.example', type: 'work' }] },
]

export const LINES: readonly FileCase[] = [
  {
    does: 'reads lines that end in CRLF first and LF later',
    file: 'Name,Email\r\nA B,ab@x.example\nC D,cd@x.example\r\n',
    records: TWO_ROWS,
  },
  {
    does: 'reads lines that end in LF first and CRLF later',
    file: 'Name,Email\nA B,ab@x.example\r\nC D,cd@x.example\n',
    records: TWO_ROWS,
  },
  {
    does: 'reads lines that end in CR',
    file: 'Name,Email\rA B,ab@x.example\rC D,cd@x.example\r',
    records: TWO_ROWS,
  },
  {
    does: 'reads lines that end in CR first and CRLF later',
    file: 'Name,Email\rA B,ab@x.example\r\nC D,cd@x.example',
    records: TWO_ROWS,
  },
  {
    does: 'reads lines that end in CR CR LF',
    file: 'Name,Email\r\r\nA B,ab@x.example\r\r\nC D,cd@x.example\r\r\n',
    records: TWO_ROWS,
  },
  {
    does: 'reads quoted cells before each end of a line, and newlines within them',
    file: '"Name","Notes"\r\n"A","one\r\ntwo"\n"B","one\ntwo"\r"C","say ""hi"",\rtwo"\r\n',
    records: [
      { full_name: 'A', note: 'one\ntwo' },
      { full_name: 'B', note: 'one\ntwo' },
      { full_name: 'C', note: 'say "hi",\ntwo' },
    ],
  },
  {
    does: 'reads a line that names the separator, whatever it ends in',
    file: 'sep=|\rName|Email\nA B|ab@x.example\r\nC D|cd@x.example',
    records: TWO_ROWS,
  },
  {
    does: 'counts the rows of a file with mixed ends of lines',
    file: 'Name,Email\r\nA B,ab@x.example\nC D,cd@x.example,x\r\n',
    sheetError: { code: 'tooManyCells', row: 3 },
  },
  {
    does: 'reads several addresses and numbers of a cell',
    file: 'Name,Email,Phone\nA,"a@x.example\r\nb@x.example\rc@x.example","+55 11 1 ::: +55 11 2:::+55 11 3"\nB,a@x.example ::: no,',
    errors: [[], [['Email', 'no', 'notAnEmail']]],
  },
]
