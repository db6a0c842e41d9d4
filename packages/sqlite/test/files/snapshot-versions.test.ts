import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { SnapshotVersions } from '../../src/files/snapshot-versions.ts'
import { createTempPath } from '../harness.ts'

test('versions are remembered until another connection has committed', () => {
  const path = createTempPath()
  const [writer, reader] = [new Database(path), new Database(path)]
  writer.pragma('journal_mode = WAL')
  writer.exec('create table settings (name text)')
  const versions = new SnapshotVersions(reader)
  versions.read().set('a', new Map([['a', '1']]))
  expect(versions.read().has('a')).toBe(true)
  writer.exec("begin; insert into settings values ('x')")
  expect(versions.read().has('a')).toBe(true)
  writer.exec('commit')
  expect(versions.read().has('a')).toBe(false)
  writer.close()
  reader.close()
})
