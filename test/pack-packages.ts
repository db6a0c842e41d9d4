import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..')
/** The folders of the published packages. */
const FOLDERS = [...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}`), 'apps/server']
/** The names of the packages without their scope. */
export const PACKAGES = FOLDERS.map((folder) => basename(folder))

/** No package runs a script at installation. */
const NPM_SETTINGS = 'ignore-scripts=true\nloglevel=error\naudit=false\nfund=false\nupdate-notifier=false\n'
/** Types that our declarations refer to but do not include. */
const TYPES = ['@types/node']

/**
 * Builds and packs every package, and installs them all in an empty folder as a project of its own.
 * @param others packages of the registry to install beside them, such as `fastify@5.12.8`
 */
export function installPackages(project: string, others: readonly string[] = []): void {
  run(process.execPath, ['scripts/build.ts'], ROOT)
  writeFileSync(join(project, '.npmrc'), NPM_SETTINGS)
  run('npm', ['pack', ...FOLDERS.map((folder) => join(ROOT, folder, 'dist'))], project)
  const tarballs = readdirSync(project).filter((file) => file.endsWith('.tgz'))
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const types = TYPES.map((name) => `${name}@${devDependencies[name]}`)
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  const packages = [...types, ...others, ...tarballs.map((file) => `./${file}`)]
  run('npm', ['install', '--prefer-offline', ...packages], project)
}

/**
 * Returns the output of a command.
 * @throws Error with the whole output if it fails
 */
export function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<NodeJS.ProcessEnv> = process.env,
): string {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: 'pipe', env })
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string }
    throw new Error(`${command} ${args.join(' ')} failed.\n${stdout ?? ''}${stderr ?? ''}`, { cause: error })
  }
}
