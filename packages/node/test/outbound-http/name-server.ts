import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'

/** The addresses of a name, or the failure of the name server. */
type NameRecord = readonly string[] | 'silent' | 'fails'

const TYPES: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' }

/**
 * Starts a local name server. Its table is keyed by name, or by type and name (`AAAA half.lab.test`); all
 * other names are unknown.
 */
export async function openNameServer(table: Readonly<Record<string, NameRecord>>) {
  const socket = createSocket('udp4')
  const queries: string[] = []
  socket.on('message', (query, sender) => respond(query, sender))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')

  function respond(query: Buffer, { port, address }: RemoteInfo): void {
    const { name, type, end } = parseQuestion(query)
    queries.push(`${type} ${name}`)
    socket.emit('query')
    const record = table[`${type} ${name}`] ?? table[name]
    if (record === 'silent') return
    const matches = (address: string) => isIPv6(address) === (type === 'AAAA')
    const addresses = Array.isArray(record) ? record.filter(matches) : []
    const code = record === undefined ? 3 : record === 'fails' ? 2 : 0
    const head = Buffer.from([query[0]!, query[1]!, 0x81, 0x80 | code, 0, 1, 0, addresses.length, 0, 0, 0, 0])
    socket.send(Buffer.concat([head, query.subarray(12, end), ...addresses.map(encodeRecord)]), port, address)
  }

  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    nextQuery: () => once(socket, 'query'),
    close: () => socket.close(),
  }
}

function parseQuestion(query: Buffer) {
  const labels: string[] = []
  let offset = 12
  for (let length = query[offset]!; length > 0; length = query[offset]!) {
    labels.push(query.toString('latin1', offset + 1, offset + 1 + length))
    offset += 1 + length
  }
  return { name: labels.join('.'), type: TYPES[query.readUInt16BE(offset + 1)] ?? 'other', end: offset + 5 }
}

/** Encodes a resource record whose name is a pointer to the question at byte 12. */
function encodeRecord(address: string): Buffer {
  const bytes = isIPv6(address) ? encodeIPv6(address) : Buffer.from(address.split('.').map(Number))
  return Buffer.concat([
    Buffer.from([0xc0, 12, 0, bytes.length === 4 ? 1 : 28, 0, 1, 0, 0, 0, 60, 0, bytes.length]),
    bytes,
  ])
}

function encodeIPv6(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::').map((half) =>
    half
      .split(':')
      .map((group) => group.padStart(4, '0'))
      .join(''),
  )
  return Buffer.from(head + '0'.repeat(32 - head.length - tail.length) + tail, 'hex')
}
