import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { readColumnsFile } from '../../src/cli/files/columns-file.ts'
import { InputFile } from '../../src/cli/files/input-file.ts'
import { RowCounter } from '../../src/cli/files/row-counter.ts'
import { writeWholeFile } from '../../src/cli/files/whole-file.ts'

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'crm-files-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('a file that cannot be imported is refused with what to do', async () => {
  const folder = await createFolder()
  const file = join(folder, 'people.csv')
  await expect(InputFile.open(file)).rejects.toThrow(`There is no file ${file}. Check its name and folder.`)
  await expect(InputFile.open(folder)).rejects.toThrow(
    `${folder} is no file. Name one of CSV, TSV or NDJSON.`,
  )
  await writeFile(file, '')
  await expect(InputFile.open(file)).rejects.toThrow(`${file} is empty. Name a file with a header and rows.`)
})

test('a file that becomes shorter while it is read is refused', async () => {
  const file = join(await createFolder(), 'people.csv')
  await writeFile(file, 'Name\nAna\n')
  const input = await InputFile.open(file)
  onTestFinished(() => input.close())
  expect(Buffer.from(await input.read(5, 100)).toString()).toBe('Ana\n')
  await writeFile(file, 'Name\n')
  await expect(input.read(5, 100)).rejects.toThrow('was changed while it was read. Run the import again.')
})

test.each([
  ['{"columns": []}', ' must be a list such as [{"column": 0, '],
  ['column 0', ' is no JSON (Unexpected token '],
  ['[]', ': columns: '],
  [
    '[{"column": 0, "target": {"kind": "person", "field": "x"}}]',
    ': columns[0].target.kind: Must be one of: ',
  ],
  ['[{"column": 0, "targets": null}]', ': columns[0].targets: Unknown field.'],
])('a columns file %s is refused with its name', async (content, message) => {
  const file = join(await createFolder(), 'columns.json')
  await writeFile(file, content)
  await expect(readColumnsFile(file)).rejects.toThrow(`${file}${message}`)
})

test('a file has its name once it is complete', async () => {
  const folder = await createFolder()
  const file = join(folder, 'people.csv')
  await writeWholeFile(file, generate('a', 'b'))
  expect(await readFile(file, 'utf8')).toBe('ab')
  await expect(writeWholeFile(file, generate('c', new Error('The database is away.')))).rejects.toThrow(
    'The database is away.',
  )
  expect([await readFile(file, 'utf8'), await readdir(folder)]).toEqual(['ab', ['people.csv']])
  await expect(writeWholeFile(join(folder, 'missing/people.csv'), generate())).rejects.toThrow(
    /^Cannot write \S+people\.csv \(.+\)\. Name a file in a folder where this user may write, on a disk with room\.$/,
  )
})

test.each([
  ['csv', ['\uFEFFid,name\r\n1,"Ana ""A""\nLima"\r\n', '2,"\r\n"\r\n']],
  ['ndjson', ['{"id":"1","name":"\\"\\n"}\n{"id":"2"}\n']],
] as const)('the rows of %s are counted, not the lines', async (format, texts) => {
  const shown: number[] = []
  const counter = new RowCounter(format, (rows) => shown.push(rows))
  expect(await text(counter.count(generate(...texts)))).toBe(texts.join(''))
  expect([counter.rows, shown.at(-1)]).toEqual([2, 2])
})

async function* generate(...parts: readonly (string | Error)[]): AsyncGenerator<string> {
  for (const part of parts) {
    if (part instanceof Error) throw part
    yield part
  }
}
