import { PROGRAMS } from '../process/program-names.ts'
import { DEMO_OWNER } from './demo-owner.ts'
import type { Demo } from './prepare-demo.ts'

interface WelcomeOptions {
  readonly colour: boolean
  /** Environment of the process before `.env` was loaded. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Settings by which the CLI finds the installation. */
const INSTALLATION_SETTINGS = ['HOST', 'PORT', 'BASE_URL', 'DATABASE_URL', 'DATA_DIR', 'SECRET_KEY'] as const

/** Formats the instructions, to be pasted line by line or as a whole. Lines to paste have no frame. */
export function welcomeText(
  { baseUrl, workspace, clientId, token, dueBefore, taskId }: Demo,
  { colour, environment }: WelcomeOptions,
): string {
  const style = (code: number) => (text: string) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text)
  const [bold, dim, cyan] = [style(1), style(2), style(36)]
  const { name, email, password } = DEMO_OWNER
  const tasks = `${baseUrl}/v1/tasks`
  const bearer = '-H "Authorization: Bearer $TOKEN"'
  const jsonRequest = `${bearer} -H 'Content-Type: application/json' -d`
  const urgentTasks = `completed=false&due_before=${dueBefore}&order_by=due_date&order=asc&per_page=3`
  const newTask = `{"title":"Ask Bruno for the price list","type":"email","owner_email":"${email}"}`
  const { assignments, secretNames } = installationSettings(environment)
  const secretsNote =
    secretNames.length === 0 ? '' : `, with ${secretNames.join(' and ')} set as they are here`

  const steps = [
    ['A token, good for an hour', `TOKEN=${token}`],
    ['List what is due within a week, the most urgent first', `curl '${tasks}?${urgentTasks}' ${bearer}`],
    [
      'Find people by name, e-mail or phone, whatever the accents',
      `curl '${baseUrl}/v1/people?search=joao' ${bearer}`,
    ],
    ['Create a task', `curl ${tasks} ${jsonRequest} '${newTask}'`],
    ...(taskId === undefined
      ? []
      : [
          [
            'Complete the most urgent',
            `curl -X PATCH ${tasks}/${taskId} ${jsonRequest} '{"completed":true}'`,
          ],
        ]),
    [
      `Make another token${secretsNote}`,
      [
        ...assignments,
        `${PROGRAMS.operate} token create --workspace ${workspace} --client ${clientId} --user ${email}`,
      ].join(' '),
    ],
  ] as const

  return [
    ...titleBox(`Open ${baseUrl} and enter as ${name}`, colour).map(bold),
    '',
    ...steps.flatMap(([title = '', command = '']) => [
      dim(`# ${title}`),
      command.includes(token) ? command : cyan(command),
      '',
    ]),
    `${dim('API     ')} ${baseUrl}/docs`,
    `${dim('Console ')} ${baseUrl}`,
    `${dim('E-mail  ')} ${email}`,
    `${dim('Password')} ${password}`,
    '',
    dim('Ctrl+C stops it. Run it again, and everything is still there.'),
  ].join('\n')
}

/**
 * Returns assignments for a CLI command, and the names of settings that contain secrets and are not shown.
 */
function installationSettings(environment: WelcomeOptions['environment']): {
  readonly assignments: readonly string[]
  readonly secretNames: readonly string[]
} {
  const settings = INSTALLATION_SETTINGS.flatMap((name) =>
    environment[name] ? [{ name, value: environment[name] }] : [],
  )
  const { secret = [], plain = [] } = Object.groupBy(settings, ({ name, value }) =>
    holdsSecret(name, value) ? 'secret' : 'plain',
  )
  return {
    assignments: plain.map(({ name, value }) => `${name}=${shellQuote(value)}`),
    secretNames: secret.map(({ name }) => name),
  }
}

function holdsSecret(name: string, value: string): boolean {
  return name === 'SECRET_KEY' || value.startsWith('postgres')
}

function shellQuote(value: string): string {
  return /^[\w.:/-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`
}

function titleBox(text: string, isFramed: boolean): string[] {
  if (!isFramed) return [text]
  const rule = '─'.repeat(text.length + 4)
  return [`╭${rule}╮`, `│  ${text}  │`, `╰${rule}╯`]
}
