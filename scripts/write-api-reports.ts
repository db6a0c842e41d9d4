import { readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  CompilerState,
  Extractor,
  ExtractorConfig,
  ExtractorLogLevel,
  type IConfigFile,
} from '@microsoft/api-extractor'

// Writes what each built package exports into a report beside its sources, so that a change of it shows in a
// review. With `--check`, nothing is written, and a report that differs is an error.

const ROOT = join(import.meta.dirname, '..')
const TEMPORARY = join(ROOT, 'node_modules/.cache/api-reports')
const PACKAGES = ['core', 'node', 'sqlite', 'postgres', 'client', 'webhooks'].map(
  (name) => `packages/${name}`,
)
/** For the other packages of this repository. */
const INTERNAL_ENTRY_POINTS = ['./api-types', './declarations', './event-types']
const COMPILER_OPTIONS = {
  module: 'nodenext',
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
  strict: true,
  skipLibCheck: true,
  types: [],
}
const isCheck = process.argv.includes('--check')

const configs = [...PACKAGES, 'apps/server'].flatMap((path) => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, path, 'dist/package.json'), 'utf8'))
  return Object.entries<string | { readonly types: string }>(exports).flatMap(([entryPoint, target]) =>
    typeof target === 'object' && !INTERNAL_ENTRY_POINTS.includes(entryPoint)
      ? [prepareConfig(path, entryPoint, target.types)]
      : [],
  )
})
// One program for all reports: each would take seconds.
const compilerState = CompilerState.create(configs[0]!, {
  additionalEntryPoints: configs.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
})
const changed = configs.filter(hasChanged).map(({ reportFilePath }) => basename(reportFilePath))
rmSync(TEMPORARY, { recursive: true, force: true })
if (isCheck && changed.length > 0) {
  console.error(
    `The exports differ from ${changed.join(', ')}. Run "npm run api-reports", and review the change.`,
  )
  process.exitCode = 1
}

/** @returns true if the report differs from the stored one, which is replaced unless this is a check */
function hasChanged(config: ExtractorConfig): boolean {
  const { apiReportChanged } = Extractor.invoke(config, {
    compilerState,
    localBuild: !isCheck,
    messageCallback(message) {
      message.handled = true
    },
  })
  return apiReportChanged
}

function prepareConfig(path: string, entryPoint: string, types: string): ExtractorConfig {
  const dist = join(ROOT, path, 'dist')
  const file = join(dist, types)
  const none = { default: { logLevel: ExtractorLogLevel.None } }
  const configObject: IConfigFile = {
    projectFolder: dist,
    mainEntryPointFilePath: file,
    compiler: { overrideTsconfig: { compilerOptions: COMPILER_OPTIONS, files: [file] } },
    apiReport: {
      enabled: true,
      reportFileName: reportName(path, entryPoint),
      reportFolder: join(ROOT, path),
      reportTempFolder: join(TEMPORARY, path),
    },
    docModel: { enabled: false },
    dtsRollup: { enabled: false },
    tsdocMetadata: { enabled: false },
    messages: {
      compilerMessageReporting: none,
      extractorMessageReporting: none,
      tsdocMessageReporting: none,
    },
  }
  return ExtractorConfig.prepare({
    configObject,
    configObjectFullPath: undefined,
    packageJsonFullPath: join(dist, 'package.json'),
  })
}

/** `core-ports.api.md` for `./ports` of the core. */
function reportName(path: string, entryPoint: string): string {
  return `${[basename(path), ...entryPoint.split('/').slice(1)].join('-')}.api.md`
}
