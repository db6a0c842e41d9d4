import { crc32, inflateSync } from 'node:zlib'

const SIGNATURE_BYTES = 8
/** Samples of a pixel, by color type. */
const SAMPLES = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
])

/**
 * True for a PNG whose chunks are whole and whose pixels can be decoded, so that a decoder that trusts its input can read
 * it. Interlaced ones are refused.
 */
export function isWholePng(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const chunks = readChunks(bytes, view)
  const [header] = chunks ?? []
  if (!chunks || header?.type !== 'IHDR' || header.data.length !== 13) return false
  const [width, height] = [view.getUint32(16), view.getUint32(20)]
  const [depth = 0, colorType = 0, , , interlace] = header.data.subarray(8)
  const samples = SAMPLES.get(colorType)
  if (samples === undefined || ![1, 2, 4, 8, 16].includes(depth) || interlace !== 0) return false
  const palette = chunks.find(({ type }) => type === 'PLTE')?.data.length ?? 0
  if (palette % 3 !== 0 || palette > 3 * 256 || (colorType === 3 && palette === 0)) return false
  const size = height * (1 + Math.ceil((width * depth * samples) / 8))
  const pixels = Buffer.concat(chunks.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : [])))
  try {
    return inflateSync(pixels, { maxOutputLength: size }).length === size
  } catch {
    return false
  }
}

interface Chunk {
  readonly type: string
  readonly data: Uint8Array
}

/** Returns undefined unless the file is chunks up to its end, the last of which is the end. */
function readChunks(bytes: Uint8Array, view: DataView): readonly Chunk[] | undefined {
  const chunks: Chunk[] = []
  let at = SIGNATURE_BYTES
  while (at + 12 <= bytes.length) {
    const length = view.getUint32(at)
    const end = at + 8 + length
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== view.getUint32(end)) return undefined
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    chunks.push({ type, data: bytes.subarray(at + 8, end) })
    at = end + 4
  }
  return at === bytes.length && chunks.at(-1)?.type === 'IEND' ? chunks : undefined
}
