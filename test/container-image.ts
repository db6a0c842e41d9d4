import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { copyCheckout } from './copy-checkout.ts'
import { isExcluded } from './docker-ignore.ts'
import { type CommandLine, IS_ROOT } from './installed-service.ts'

const FILE = join(import.meta.dirname, '../Dockerfile')
/** Ids of the users of the base image that the file names. */
const USER_IDS: Readonly<Record<string, number>> = { node: 1000 }
/** Absolute paths of the image that the file names. */
const IMAGE_PATHS = /(?<=^|[\s:=])\/(app|data)\b/g

/** A stage of the container file: a folder in place of the file system of its image. */
interface Stage {
  readonly root: string
  workdir: string
  user: Readonly<{ uid?: number; gid?: number }>
  command: CommandLine | undefined
  readonly environment: Record<string, string>
}

/**
 * Follows the container file without Docker: each stage is a folder in place of an image, and the programs are those
 * of this machine. Instructions that it does not know are errors, so that none is passed over.
 * @returns the last stage
 */
export function buildContainerImage(folder: string): Readonly<Stage> {
  const context = join(folder, 'context')
  copyCheckout(context, (path) => !isExcluded(path))
  const stages = new Map<string, Stage>()
  let stage: Stage | undefined
  for (const [instruction, text] of readInstructions()) {
    if (instruction === 'FROM') {
      const name = / AS (\w+)$/.exec(text)?.[1] ?? 'last'
      stage = openStage(join(folder, name))
      stages.set(name, stage)
    } else runInstruction(instruction, text, stage!, { context, stages })
  }
  return stage!
}

/** Instructions may go on in the next line. */
function readInstructions(): (readonly [instruction: string, text: string])[] {
  const lines = readFileSync(FILE, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
  return lines.split('\n').map((line) => {
    const [, instruction, text] = /^([A-Z]+) (.+)$/.exec(line)!
    return [instruction!, text!]
  })
}

function openStage(root: string): Stage {
  mkdirSync(root)
  return { root, workdir: root, user: {}, command: undefined, environment: {} }
}

function runInstruction(
  instruction: string,
  text: string,
  stage: Stage,
  sources: { readonly context: string; readonly stages: ReadonlyMap<string, Stage> },
): void {
  const located = text.replaceAll(IMAGE_PATHS, `${stage.root}/$1`)
  switch (instruction) {
    case 'WORKDIR':
      stage.workdir = located
      mkdirSync(stage.workdir, { recursive: true })
      return
    case 'ENV':
      for (const setting of located.split(/\s+/)) {
        const [name, value] = setting.split(/=(.*)/) as [string, string]
        stage.environment[name] = value
      }
      return
    case 'COPY':
      copy(text, stage, sources)
      return
    case 'RUN':
      execFileSync('sh', ['-c', withUserIds(located)], {
        cwd: stage.workdir,
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, npm_config_prefer_offline: 'true', npm_config_loglevel: 'error' },
      })
      return
    case 'USER':
      if (IS_ROOT) stage.user = { uid: USER_IDS[text]!, gid: USER_IDS[text]! }
      return
    case 'CMD':
      stage.command = JSON.parse(text) as CommandLine
      return
    case 'VOLUME':
    case 'EXPOSE':
    case 'HEALTHCHECK':
      return
    default:
      throw new Error(`${instruction} is not known here.`)
  }
}

/** The users of the image are known here by their ids alone, and to root alone. */
function withUserIds(command: string): string {
  return command.replaceAll(/-[og] (\w+) ?/g, (option, name) =>
    IS_ROOT ? option.replace(name, String(USER_IDS[name])) : '',
  )
}

/** The contents of a folder, and files by their names, as Docker copies them. */
function copy(
  text: string,
  stage: Stage,
  { context, stages }: { readonly context: string; readonly stages: ReadonlyMap<string, Stage> },
): void {
  const [, from, paths] = /^(?:--from=(\w+) )?(.+)$/.exec(text)!
  const sourceRoot = from === undefined ? context : stages.get(from)!.root
  const names = paths!.split(' ')
  const target = join(stage.workdir, names.at(-1)!)
  for (const name of names.slice(0, -1)) {
    const source = join(sourceRoot, name)
    const isFolder = statSync(source).isDirectory()
    const to = isFolder || !names.at(-1)!.endsWith('/') ? target : join(target, basename(name))
    cpSync(source, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
  }
}
