import { crc32, deflateSync } from 'node:zlib'

/** Red, green and blue, from 0 to 255. */
export type Colour = readonly [number, number, number]

const SIDE = 96

/** Draws a square PNG in Base64, with a disc on a background. */
export function drawPng(background: Colour, disc: Colour): string {
  const rows = Array.from({ length: SIDE }, (_, y) => {
    const pixels = Array.from({ length: SIDE }, (_, x) =>
      Math.hypot(x - SIDE / 2, y - SIDE / 2) < SIDE / 3 ? disc : background,
    )
    return [0, ...pixels.flat()] // each row begins with its filter type: none
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIDE, 0)
  header.writeUInt32BE(SIDE, 4)
  header.set([8, 2], 8) // bit depth 8, colour type RGB
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const data = deflateSync(Buffer.from(rows.flat()))
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ]).toString('base64')
}

function pngChunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const buffer = Buffer.alloc(body.length + 8)
  buffer.writeUInt32BE(content.length, 0)
  buffer.set(body, 4)
  buffer.writeUInt32BE(crc32(body), body.length + 4)
  return buffer
}
