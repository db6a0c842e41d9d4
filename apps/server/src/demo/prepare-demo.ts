import type { Settings } from '../process/config.ts'
import { type OpenStore, openStore } from '../process/open-store.ts'
import { addDemoFiles } from './demo-files.ts'
import { DEMO_OWNER } from './demo-owner.ts'
import { seed } from './seed/seed.ts'

const SLUG = 'demo'
const APP = 'Demo app'
const MEMBERS = [
  { name: 'Bruno Costa', email: 'bruno@demo.example', role: 'admin' },
  { name: 'Clara Weber', email: 'clara@demo.example', role: 'member' },
  { name: 'Diego Rocha', email: 'diego@demo.example', role: 'member' },
] as const

export interface Demo {
  readonly baseUrl: string
  readonly workspace: string
  readonly clientId: string
  /** Good for an hour. */
  readonly token: string
  /** A week from now: what is due until then and not completed is left to do. */
  readonly dueBefore: string
  /** The most urgent of those tasks, where one is left. */
  readonly taskId: string | undefined
}

const WEEK_MS = 7 * 86_400_000

/**
 * Makes the demo workspace where it is not there yet, and always a fresh token. Everybody knows the password of its owner, so that it is made in no
 * database that serves or has workspaces of its own.
 * @throws Error in one line that says what to do
 */
export async function prepareDemo(settings: Settings): Promise<Demo> {
  const store = await openStore(settings, { isServer: true })
  try {
    const { id, clientId } = (await findDemo(store)) ?? (await createDemo(store))
    const token = await store.crm.operator.createToken({
      workspace: SLUG,
      client_id: clientId,
      user_email: DEMO_OWNER.email,
    })
    const dueBefore = new Date(Date.parse(store.ports.now()) + WEEK_MS).toISOString()
    const taskId = await findMostUrgentTask(store, id, dueBefore)
    return {
      baseUrl: settings.baseUrl,
      workspace: SLUG,
      clientId,
      token: token.access_token,
      dueBefore,
      taskId,
    }
  } finally {
    await store.close()
  }
}

/** The app is made last: where it is there, so is all the rest. */
async function findDemo({ storage }: OpenStore): Promise<{ id: string; clientId: string } | undefined> {
  const { workspace, app, first } = await storage.read(async (tx) => {
    const [workspace] = await tx.workspaces.find([{ field: 'slug', is: SLUG }])
    const [app] = await tx.apps.find([
      { field: 'name', is: APP },
      { field: 'email', is: DEMO_OWNER.email },
    ])
    const { rows } = await tx.workspaces.list({
      page: 1,
      per_page: 1,
      order_by: 'created_at',
      order: 'asc',
      where: [],
    })
    return { workspace, app, first: rows[0] }
  })
  if (!workspace && first)
    throw new Error(
      `This database has workspaces of its own (${first.slug}), and the demo has an owner whose password everybody knows. Set DATABASE_URL to another database, and DATA_DIR to another folder.`,
    )
  if (workspace && !app)
    throw new Error('The demo workspace was left half made. Delete the database and run the demo again.')
  return workspace && app && { id: workspace.id, clientId: app.id }
}

async function createDemo({ crm, ports }: OpenStore): Promise<{ id: string; clientId: string }> {
  const { createWorkspace, addMember, createApp, scopes } = crm.operator
  const { id } = await createWorkspace({
    name: 'Demo Ltda',
    slug: SLUG,
    owner_name: DEMO_OWNER.name,
    owner_email: DEMO_OWNER.email,
    owner_password: DEMO_OWNER.password,
    locale: 'pt-BR',
    currency: 'BRL',
    time_zone: 'America/Sao_Paulo',
  })
  for (const member of MEMBERS) await addMember({ workspace: SLUG, ...member })
  await seed(ports, {
    workspace: SLUG,
    counts: { people: 60, companies: 30, deals: 48, tasks: 80, activities: 120 },
  })
  await addDemoFiles(crm, await crm.operator.actorFor({ workspace: SLUG, email: DEMO_OWNER.email }))
  const app = await createApp({
    name: APP,
    email: DEMO_OWNER.email,
    redirect_uris: ['http://localhost:8080/callback'],
    scopes: [...scopes],
  })
  return { id, clientId: app.client_id }
}

async function findMostUrgentTask(
  { storage }: OpenStore,
  workspaceId: string,
  dueBefore: string,
): Promise<string | undefined> {
  const { rows } = await storage.read((tx) =>
    tx.workspace(workspaceId).tasks.list({
      ...{ page: 1, per_page: 1, order_by: 'due_date', order: 'asc' },
      where: [
        { field: 'completed', is: false },
        { field: 'due_date', to: dueBefore },
      ],
    }),
  )
  return rows[0]?.id
}
