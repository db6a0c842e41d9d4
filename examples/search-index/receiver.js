import { createReceiver, sqliteStore } from '@sales-crm/webhooks'
import { nodeReceiver } from '@sales-crm/webhooks/node'
import { searchPeople, storePerson } from './people-index.js'

/**
 * Returns a listener for Node's HTTP server: it receives webhooks at /webhooks, and serves /search?q=TEXT.
 * `writer` and `reader` are two connections to the index, because `writer` is in a transaction meanwhile.
 */
export function createListener({ secrets, writer, reader }) {
  // The database of `transaction` is `writer`: the index and the id of the event commit together.
  const save = ({ person }, { transaction }) => storePerson(transaction, person)
  const receiver = createReceiver({
    secrets,
    store: sqliteStore(writer),
    on: {
      'person.created': save,
      'person.updated': save,
      'person.deleted': ({ person }, { transaction }) =>
        storePerson(transaction, person, { isDeleted: true }),
    },
  })
  const receive = nodeReceiver(receiver)
  return (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost')
    if (pathname === '/webhooks') return receive(request, response)
    if (pathname !== '/search') return response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': 'application/json' })
    return response.end(JSON.stringify(searchPeople(reader, searchParams.get('q') ?? '')))
  }
}
