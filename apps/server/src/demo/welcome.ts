import { DEMO_OWNER } from './demo-owner.ts'
import type { Demo } from './prepare-demo.ts'

export interface WelcomeOptions {
  readonly colour: boolean
  /** The environment the demo was started in, before `.env` added to it. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** What tells the operator's tool which installation is meant. */
const INSTALLATION_SETTINGS = ['HOST', 'PORT', 'BASE_URL', 'DATABASE_URL', 'DATA_DIR', 'SECRET_KEY'] as const

/** What a newcomer needs, ready to be pasted line by line or as a whole. Lines to paste are never framed. */
export function welcomeText(
  { baseUrl, workspace, clientId, token, dueBefore, taskId }: Demo,
  { colour, environment }: WelcomeOptions,
): string {
  const ink = (code: number) => (text: string) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text)
  const [bold, dim, cyan] = [ink(1), ink(2), ink(36)]
  const tasks = `${baseUrl}/v1/tasks`
  const bearer = '-H "Authorization: Bearer $TOKEN"'
  const sending = `${bearer} -H 'Content-Type: application/json' -d`
  const urgent = `completed=false&due_before=${dueBefore}&order_by=due_date&order=asc&per_page=3`
  const created = `{"title":"Ask Bruno for the price list","type":"email","owner_email":"${DEMO_OWNER.email}"}`
  const { shown: assignments, hidden: secretNames } = installationSettings(environment)
  const secretsNote =
    secretNames.length === 0 ? '' : `, with ${secretNames.join(' and ')} set as they are here`

  const steps = [
    ['A token, good for an hour', `TOKEN=${token}`],
    ['List what is due within a week, the most urgent first', `curl '${tasks}?${urgent}' ${bearer}`],
    [
      'Find people by name, e-mail or phone, whatever the accents',
      `curl '${baseUrl}/v1/people?search=joao' ${bearer}`,
    ],
    ['Create a task', `curl ${tasks} ${sending} '${created}'`],
    ...(taskId === undefined
      ? []
      : [['Complete the most urgent', `curl -X PATCH ${tasks}/${taskId} ${sending} '{"completed":true}'`]]),
    [
      `Make another token${secretsNote}`,
      [
        ...assignments,
        `npm run crm -- token create --workspace ${workspace} --client ${clientId} --user ${DEMO_OWNER.email}`,
      ].join(' '),
    ],
  ] as const

  return [
    ...titleBox(`Sales CRM is running at ${baseUrl}`, colour).map(bold),
    '',
    ...steps.flatMap(([what = '', command = '']) => [
      dim(`# ${what}`),
      command.includes(token) ? command : cyan(command),
      '',
    ]),
    `${dim('API     ')} ${baseUrl}/docs`,
    `${dim('Sign in ')} ${baseUrl}/sign-in`,
    `${dim('E-mail  ')} ${DEMO_OWNER.email}`,
    `${dim('Password')} ${DEMO_OWNER.password}`,
    '',
    dim('Ctrl+C stops it. Run it again, and everything is still there.'),
  ].join('\n')
}

/** The assignments that lead the tool to this installation, and the names of those that hold a secret and are not shown. */
function installationSettings(environment: WelcomeOptions['environment']): {
  readonly shown: readonly string[]
  readonly hidden: readonly string[]
} {
  const present = INSTALLATION_SETTINGS.flatMap((name) =>
    environment[name] ? [{ name, value: environment[name] }] : [],
  )
  const { secret = [], open = [] } = Object.groupBy(present, ({ name, value }) =>
    holdsSecret(name, value) ? 'secret' : 'open',
  )
  return {
    shown: open.map(({ name, value }) => `${name}=${shellQuote(value)}`),
    hidden: secret.map(({ name }) => name),
  }
}

function holdsSecret(name: string, value: string): boolean {
  return name === 'SECRET_KEY' || value.startsWith('postgres')
}

/** A value as a POSIX shell reads it back. */
function shellQuote(value: string): string {
  return /^[\w.:/-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`
}

function titleBox(text: string, isFramed: boolean): string[] {
  if (!isFramed) return [text]
  const rule = '─'.repeat(text.length + 4)
  return [`╭${rule}╮`, `│  ${text}  │`, `╰${rule}╯`]
}
