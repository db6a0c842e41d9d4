import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..')
export const PACKAGES = readdirSync(join(ROOT, 'packages'))

/** No package runs a script at installation. */
const NPM_SETTINGS = 'ignore-scripts=true\nloglevel=error\naudit=false\nfund=false\nupdate-notifier=false\n'
/** Types that our declarations refer to but do not include. */
const TYPES = ['@types/node']

/** Builds and packs every package, and installs them all in an empty folder as a project of its own. */
export function installPackages(project: string): void {
  run(process.execPath, ['scripts/build.ts'], ROOT)
  writeFileSync(join(project, '.npmrc'), NPM_SETTINGS)
  const built = PACKAGES.map((name) => join(ROOT, 'packages', name, 'dist'))
  run('npm', ['pack', ...built], project)
  const tarballs = readdirSync(project).filter((file) => file.endsWith('.tgz'))
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const types = TYPES.map((name) => `${name}@${devDependencies[name]}`)
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  run('npm', ['install', '--prefer-offline', ...types, ...tarballs.map((file) => `./${file}`)], project)
}

/**
 * Returns the output of a command.
 * @throws Error with the whole output if it fails
 */
export function run(command: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string }
    throw new Error(`${command} ${args.join(' ')} failed.\n${stdout ?? ''}${stderr ?? ''}`, { cause: error })
  }
}
