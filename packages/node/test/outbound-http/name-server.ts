import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'

/** What is known of a name: its addresses, or what the name server does instead. */
type NameTable = readonly string[] | 'silent' | 'fails'

const TYPES: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' }

/** A name server on this machine with one table, by name or by type and name (`AAAA half.lab.test`). It does not know any other. */
export async function openNameServer(table: Readonly<Record<string, NameTable>>) {
  const socket = createSocket('udp4')
  const queried: string[] = []
  socket.on('message', (query, from) => answer(query, from))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')

  function answer(query: Buffer, { port, address }: RemoteInfo): void {
    const { name, type, end } = questionOf(query)
    queried.push(`${type} ${name}`)
    socket.emit('asked')
    const known = table[`${type} ${name}`] ?? table[name]
    if (known === 'silent') return
    const found = Array.isArray(known) ? known.filter((each) => isIPv6(each) === (type === 'AAAA')) : []
    const code = known === undefined ? 3 : known === 'fails' ? 2 : 0
    const head = Buffer.from([query[0]!, query[1]!, 0x81, 0x80 | code, 0, 1, 0, found.length, 0, 0, 0, 0])
    socket.send(Buffer.concat([head, query.subarray(12, end), ...found.map(recordOf)]), port, address)
  }

  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked: queried,
    nextQuestion: () => once(socket, 'asked'),
    close: () => socket.close(),
  }
}

function questionOf(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: TYPES[query.readUInt16BE(at + 1)] ?? 'other', end: at + 5 }
}

/** An answer to the question at byte 12, which names itself by that number. */
function recordOf(address: string): Buffer {
  const bytes = isIPv6(address) ? bytesOfV6(address) : Buffer.from(address.split('.').map(Number))
  return Buffer.concat([
    Buffer.from([0xc0, 12, 0, bytes.length === 4 ? 1 : 28, 0, 1, 0, 0, 0, 60, 0, bytes.length]),
    bytes,
  ])
}

function bytesOfV6(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::').map((half) =>
    half
      .split(':')
      .map((group) => group.padStart(4, '0'))
      .join(''),
  )
  return Buffer.from(head + '0'.repeat(32 - head.length - tail.length) + tail, 'hex')
}
