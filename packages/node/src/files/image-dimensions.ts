export interface ImageDimensions {
  readonly width: number
  readonly height: number
}

/** How many pixels the header of a picture says it has; `undefined` when the header is not whole. Nothing is decoded. */
export function readImageDimensions(
  content_type: string,
  { buffer, byteOffset, byteLength }: Uint8Array,
): ImageDimensions | undefined {
  try {
    return READERS.get(content_type)?.(new DataView(buffer, byteOffset, byteLength))
  } catch (error) {
    // What a view has for a place past its end.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const READERS: ReadonlyMap<string, (view: DataView) => ImageDimensions | undefined> = new Map([
  ['image/png', readPng],
  ['image/jpeg', readJpeg],
  ['image/gif', readGif],
  ['image/webp', readWebp],
  ['image/avif', readAvif],
])

function readPng(view: DataView): ImageDimensions | undefined {
  return readFourCC(view, 12) === 'IHDR'
    ? { width: view.getUint32(16), height: view.getUint32(20) }
    : undefined
}

function readGif(view: DataView): ImageDimensions {
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
}

/** Goes from marker to marker as decoders do, over bytes that belong to none, to the first that starts a frame. */
function readJpeg(view: DataView): ImageDimensions | undefined {
  let at = 2
  for (;;) {
    while (view.getUint8(at) !== 0xff) at += 1
    const marker = view.getUint8(at + 1)
    if (isFrameMarker(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    // An image in the image, its end or its data.
    if (marker >= 0xd8 && marker <= 0xda) return undefined
    at += hasLength(marker) ? 2 + view.getUint16(at + 2) : 1
  }
}

/** SOF0 to SOF15, but for the three of these numbers that are tables. */
function isFrameMarker(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

function hasLength(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xfe && !(marker >= 0xd0 && marker <= 0xd7)
}

function readWebp(view: DataView): ImageDimensions | undefined {
  const kind = readFourCC(view, 12)
  if (kind === 'VP8X')
    return { width: 1 + (view.getUint32(23, true) >>> 8), height: 1 + (view.getUint32(26, true) >>> 8) }
  if (kind === 'VP8 ')
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  if (kind !== 'VP8L') return undefined
  const bits = view.getUint32(21, true)
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
}

/** The largest of the sizes in it, since whatever it describes may be decoded. */
function readAvif(view: DataView): ImageDimensions {
  const properties = findBoxes(view, 'meta')
    .flatMap((meta) => findBoxes(meta, 'iprp', 4))
    .flatMap((iprp) => findBoxes(iprp, 'ipco'))
  let [width, height] = [0, 0]
  for (const ispe of properties.flatMap((ipco) => findBoxes(ipco, 'ispe'))) {
    width = Math.max(width, ispe.getUint32(4))
    height = Math.max(height, ispe.getUint32(8))
  }
  return { width, height }
}

/** What is in the boxes of one kind. @throws RangeError when one of any kind is not whole, or has a length of 64 bits */
function findBoxes(view: DataView, kind: string, from = 0): DataView[] {
  const found: DataView[] = []
  for (let at = from; at < view.byteLength; ) {
    const size = view.getUint32(at) || view.byteLength - at
    if (size < 8 || at + size > view.byteLength) throw new RangeError('A box is not whole.')
    if (readFourCC(view, at + 4) === kind)
      found.push(new DataView(view.buffer, view.byteOffset + at + 8, size - 8))
    at += size
  }
  return found
}

function readFourCC(view: DataView, at: number): string {
  return String.fromCharCode(
    view.getUint8(at),
    view.getUint8(at + 1),
    view.getUint8(at + 2),
    view.getUint8(at + 3),
  )
}
