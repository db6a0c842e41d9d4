import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ArchiveEntry } from '@sales-crm/core'
import { packTar } from 'modern-tar'
import { expect, onTestFinished, test } from 'vitest'
import { ArchiveFileReader, ArchiveFileWriter } from '../../src/index.ts'

const ENTRIES: readonly ArchiveEntry[] = [
  { name: 'people/000001.ndjson', content: '{"full_name":"Júlia 🎉"}\n' },
  { name: 'files/000001.ndjson', content: `${'x'.repeat(3_000_000)}\n` },
  { name: 'manifest.json', content: '{}\n' },
]

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'crm-archive-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function writeArchive(file: string, entries = ENTRIES) {
  const writer = await ArchiveFileWriter.create(file)
  for (const entry of entries) await writer.write(entry)
  return writer.finish()
}

async function readArchive(file: string): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = []
  for await (const entry of new ArchiveFileReader(file).entries()) entries.push(entry)
  return entries
}

test.each(['acme.tar', 'acme.tar.gz'])(
  '%s has the entries, is its owner’s alone, and is the same each time',
  async (name) => {
    const folder = await createFolder()
    const [file, again] = [join(folder, name), join(folder, `again-${name}`)]
    const { bytes, sha256 } = await writeArchive(file)
    expect(await readArchive(file)).toEqual(ENTRIES)
    const content = await readFile(file)
    expect([bytes, sha256]).toEqual([content.length, createHash('sha256').update(content).digest('hex')])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await writeArchive(again)).toEqual({ bytes, sha256 })
    expect(await new ArchiveFileReader(file).measure()).toEqual({ bytes, sha256 })
  },
)

test('a file that exists is kept, and one that is not complete has another name', async () => {
  const folder = await createFolder()
  const file = join(folder, 'acme.tar')
  const writer = await ArchiveFileWriter.create(file)
  await writer.write(ENTRIES[0]!)
  expect(existsSync(file)).toBe(false)
  await writer.discard()
  expect(existsSync(`${file}.partial`)).toBe(false)
  await writeFile(file, 'mine')
  await expect(ArchiveFileWriter.create(file)).rejects.toThrow(`${file} exists already.`)
  await expect(ArchiveFileWriter.create(join(folder, 'missing/acme.tar'))).rejects.toThrow(
    /^Cannot write .*ENOENT/,
  )
})

test('a full disk is reported, while entries are written or at the end', async () => {
  const folder = await createFolder()
  const file = join(folder, 'acme.tar')
  await symlink('/dev/full', `${file}.partial`)
  const writer = await ArchiveFileWriter.create(file)
  const writeAll = async () => {
    for (const entry of ENTRIES) await writer.write(entry)
    await writer.finish()
  }
  await expect(writeAll()).rejects.toThrow(/^Cannot write .*ENOSPC/)
  await writer.discard()
  expect(existsSync(file)).toBe(false)
})

test.each(['acme.tar', 'acme.tar.gz'])('a damaged %s is refused in one line', async (name) => {
  const file = join(await createFolder(), name)
  await writeArchive(file)
  const content = await readFile(file)
  const damaged = [
    content.subarray(0, content.length / 2),
    Buffer.from('PK no archive'),
    Buffer.concat([content.subarray(0, 100), Buffer.alloc(200, 0xff), content.subarray(300)]),
  ]
  for (const bytes of damaged) {
    await writeFile(file, bytes)
    await expect(readArchive(file)).rejects.toThrow(
      /^\S+ is damaged, or no archive of a workspace \(.+\)\. [^\n]+$/,
    )
  }
  await expect(readArchive(`${file}.missing`)).rejects.toThrow(/^Cannot read /)
})

test('entries that are no files, or too large, or no text are refused', async () => {
  const file = join(await createFolder(), 'acme.tar')
  const headers = [
    [{ name: '../../etc/passwd', size: 0, type: 'symlink', linkname: '/etc/passwd' }, ''],
    [{ name: 'large', size: 17 * 1024 * 1024 }, Buffer.alloc(17 * 1024 * 1024)],
    [{ name: 'latin1', size: 1 }, Buffer.from([0xe9])],
  ] as const
  for (const [header, content] of headers) {
    await writeFile(file, await packTar([{ header, body: content }]))
    await expect(readArchive(file)).rejects.toThrow(/is damaged, or no archive/)
  }
})
