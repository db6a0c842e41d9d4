import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './pack-packages.ts'

export const EXAMPLES_FOLDER = join(ROOT, 'examples')

/** An example in a folder of `examples/`. */
export interface Example {
  readonly name: string
  /** Versions by package, those for its tests included. */
  readonly dependencies: Readonly<Record<string, string>>
}

export const EXAMPLES: readonly Example[] = readdirSync(EXAMPLES_FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(EXAMPLES_FOLDER, name, 'package.json'), 'utf8'),
    )
    return { name, dependencies: { ...dependencies, ...devDependencies } }
  })

/** What the examples need beside our packages, as npm installs it: `fastify@5.12.8`. */
export const EXAMPLE_DEPENDENCIES: readonly string[] = [
  ...new Set(
    EXAMPLES.flatMap(({ dependencies }) =>
      Object.entries(dependencies)
        .filter(([name]) => !name.startsWith('@sales-crm/'))
        .map(([name, version]) => `${name}@${version}`),
    ),
  ),
]
