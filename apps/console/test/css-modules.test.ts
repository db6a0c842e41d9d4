import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const SOURCE = join(import.meta.dirname, '../src')

interface ClassUse {
  readonly sheet: string
  readonly name: string
}

const sheets = globSync('**/*.module.css', { cwd: SOURCE })
const scripts = globSync('**/*.{ts,tsx}', { cwd: SOURCE })
const uses = scripts.flatMap(listUses)

/** The classes that a script takes from its style sheets, by the names of their imports. */
function listUses(script: string): readonly ClassUse[] {
  const text = readFileSync(join(SOURCE, script), 'utf8')
  const sheetOf = new Map(
    Array.from(text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g), ([, name = '', path = '']) => [
      name,
      normalize(join(dirname(script), path)),
    ]),
  )
  // Some sheets are handed on by the component that they belong to, such as `buttonStyles`.
  for (const [, name = '', path = ''] of text.matchAll(
    /import \{[^}]*?(\w+(?:Styles|styles))[^}]*\} from '([^']+)'/g,
  )) {
    const owner = readFileSync(join(SOURCE, dirname(script), path), 'utf8')
    const sheet = /import styles from '([^']+)'/.exec(owner)?.[1]
    if (sheet) sheetOf.set(name, normalize(join(dirname(script), dirname(path), sheet)))
  }
  const code = text.replace(/^(?:import|export) [^;]*? from '.*'$/gm, '')
  return [...sheetOf].flatMap(([name, sheet]) =>
    Array.from(
      code.matchAll(new RegExp(`(?<![\\w.])${name}(?:\\.(\\w+)|\\['(\\w+)'\\]|\\[)`, 'g')),
      (match) => ({
        sheet,
        name: match[1] ?? match[2] ?? '*',
      }),
    ),
  )
}

function classesOf(sheet: string): ReadonlySet<string> {
  const text = readFileSync(join(SOURCE, sheet), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  return new Set(Array.from(text.matchAll(/\.([a-zA-Z][\w-]*)(?=[^{}]*\{)/g), ([, name = '']) => name))
}

test('every class that a component names is in its style sheet', () => {
  const unknown = uses.filter(({ sheet, name }) => name !== '*' && !classesOf(sheet).has(name))
  expect(unknown).toEqual([])
})

test('every class of a style sheet is used', () => {
  const unused = sheets.flatMap((sheet) => {
    const names = uses.filter((use) => use.sheet === sheet).map(({ name }) => name)
    if (names.includes('*')) return []
    return [...classesOf(sheet)].filter((name) => !names.includes(name)).map((name) => ({ sheet, name }))
  })
  expect(unused).toEqual([])
})
