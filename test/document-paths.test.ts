import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const DOCUMENTS = ['*.md', 'docs/**/*.md', '{packages,apps}/*/README.md', 'examples/**/README.md']
/** A file or folder, from the root or the document's folder, in code type. */
const PATH = /`((?:packages|apps|docs|test|scripts|bench|examples)\/[\w./@-]+)`/g

test.each(globSync(DOCUMENTS, { cwd: ROOT, exclude: ['**/node_modules/**', 'CHANGELOG.md'] }))(
  'the paths in %s exist',
  (document) => {
    const text = readFileSync(join(ROOT, document), 'utf8')
    const paths = [...text.matchAll(PATH)].map(([, path]) => path!).filter((path) => !path.endsWith('/dist'))
    const bases = [ROOT, join(ROOT, dirname(document))]
    expect(paths.filter((path) => !bases.some((base) => existsSync(join(base, path))))).toEqual([])
  },
)
