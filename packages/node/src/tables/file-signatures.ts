import { TableError } from '@sales-crm/core/ports'

interface Signature {
  /** The first bytes, one character a byte. */
  readonly start: string
  /** Also in the first block. */
  readonly part?: string
  readonly name: string
  readonly advice: string
}

const SAVE_AS_CSV = 'open it in the spreadsheet program and save it as CSV'
const EXPORT_AS_CSV = 'export the table as CSV from the program that it comes from'
const IMAGE = { name: 'an image', advice: EXPORT_AS_CSV }

/** In the order of their checks: workbooks are ZIP archives too. */
const SIGNATURES: readonly Signature[] = [
  { start: 'PK\x03\x04', part: 'xl/', name: 'an Excel workbook (XLSX)', advice: SAVE_AS_CSV },
  { start: 'PK\x03\x04', part: 'opendocument.spreadsheet', name: 'an ODS spreadsheet', advice: SAVE_AS_CSV },
  { start: 'PK\x03\x04', name: 'a ZIP archive', advice: 'extract it and upload the CSV file in it' },
  { start: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', name: 'an Excel workbook (XLS)', advice: SAVE_AS_CSV },
  { start: '\x1f\x8b', name: 'a gzip file', advice: 'decompress it and upload the CSV file in it' },
  { start: '%PDF-', name: 'a PDF document', advice: EXPORT_AS_CSV },
  { start: '\x89PNG\r\n', ...IMAGE },
  { start: '\xff\xd8\xff', ...IMAGE },
  { start: 'GIF87a', ...IMAGE },
  { start: 'GIF89a', ...IMAGE },
  { start: 'RIFF', part: 'WEBP', ...IMAGE },
  { start: 'II*\0', ...IMAGE },
  { start: 'MM\0*', ...IMAGE },
]

/** @throws TableError if the first block is that of a document, an archive or an image */
export function refuseOtherFormats(block: Buffer): void {
  const text = block.toString('latin1')
  const signature = SIGNATURES.find(({ start, part = '' }) => text.startsWith(start) && text.includes(part))
  if (!signature) return
  throw new TableError('not_text', `The file is ${signature.name}, not CSV: ${signature.advice}.`)
}
