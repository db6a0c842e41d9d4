import { type Crm, createCrm, people as definition } from '@sales-crm/core'
import type { Records, Storage } from '@sales-crm/core/ports'
import { newId, nodePorts } from '@sales-crm/node'

type Person = Records['people']

const FIRST = words('Ana João José Maria Márcia Paulo Lucas Júlia Pedro Luís Carla Sofia Emma Olivia Noah Liam')
const LAST = words('Souza Lima Silva Santos Pereira Costa Araújo Gonçalves Smith Jones Müller Novák Rossi Dubois Garcia Kowalski')
const PARTS = words('ba ce di fo gu la me ni ro su ta ve')
const BATCH = 1000
const START = Date.UTC(2024, 0, 1)

/** Shares of the people: one in so many. */
const COMMON = 20
const RARE = 5_000

/** What the questions name. */
export interface Named {
  readonly crm: Crm
  readonly actor: Awaited<ReturnType<Crm['operator']['actorFor']>>
  readonly commonTag: string
  readonly rareTag: string
  readonly commonList: string
  readonly commonOwner: string
  readonly rareOwner: string
  readonly company: string
}

/** Fills an empty database with so many people of one workspace, the same ones on every run, by the bulk verbs of the stores. */
export async function fill(storage: Storage, count: number, progress: (made: number) => void): Promise<Named> {
  const crm = createCrm({ ...nodePorts(), storage })
  const [commonOwner, rareOwner] = ['olga@bench.example', 'ann@bench.example']
  await crm.operator.createWorkspace({ name: 'Bench', slug: 'bench', owner_name: 'Olga', owner_email: commonOwner })
  await crm.operator.addMember({ workspace: 'bench', name: 'Ann', email: rareOwner, role: 'member' })
  const actor = await crm.operator.actorFor({ workspace: 'bench', email: commonOwner })
  const rare = await crm.operator.actorFor({ workspace: 'bench', email: rareOwner })
  const [commonTag, rareTag] = [await crm.tags.create(actor, { name: 'Common' }), await crm.tags.create(actor, { name: 'Rare' })]
  const commonList = await crm.lists.create(actor, { name: 'Common' })
  const company = await crm.companies.create(actor, { full_name: 'Bench' })

  for (let from = 0; from < count; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - from) }, (_, offset) =>
      personAt(from + offset, {
        owner_user_id: one(from + offset, RARE) ? rare.userId : actor.userId,
        company_id: one(from + offset, RARE) ? company.id : null,
        tag_ids: [...(one(from + offset, COMMON) ? [commonTag.id] : []), ...(one(from + offset, RARE) ? [rareTag.id] : [])],
        list_ids: one(from + offset + 1, COMMON) ? [commonList.id] : [],
      }),
    )
    await storage.transact((tx) => tx.workspace(actor.workspaceId).people.insertMany(batch))
    progress(from + batch.length)
  }
  return {
    crm,
    actor,
    commonTag: commonTag.id,
    rareTag: rareTag.id,
    commonList: commonList.id,
    commonOwner,
    rareOwner,
    company: company.id,
  }
}

function personAt(index: number, links: Pick<Person, 'owner_user_id' | 'company_id' | 'tag_ids' | 'list_ids'>): Person {
  const [first, last] = [FIRST[index % FIRST.length]!, LAST[Math.floor(index / FIRST.length) % LAST.length]!]
  const middle = `${part(index, 7)}${part(index, 84)}${part(index, 1009)}`
  const at = new Date(START + index * 60_000).toISOString()
  const person: Person = {
    id: newId(),
    entity_id: `P-${index.toString(32).toUpperCase().padStart(7, '0')}`,
    full_name: `${first} ${middle[0]!.toUpperCase()}${middle.slice(1)} ${last}`,
    emails: [{ email: `${first}.${index}@${middle}.example`.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase(), type: 'work' }],
    phones: [{ phone: `+55 11 9${String(index).padStart(8, '0')}`, type: 'mobile' }],
    position: null,
    score: index % 101,
    avatar_url: null,
    ...links,
    custom_values: {},
    found_by: '',
    created_at: at,
    updated_at: at,
  }
  return { ...person, found_by: definition.foundBy!(person) }
}

function part(index: number, step: number): string {
  return PARTS[Math.floor(index / step) % PARTS.length]!
}

function one(index: number, inSoMany: number): boolean {
  return index % inSoMany === 0
}

function words(text: string): string[] {
  return text.split(' ')
}
