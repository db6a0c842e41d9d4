export interface ImageDimensions {
  readonly width: number
  readonly height: number
}

/**
 * Reads the dimensions in pixels from the image header, without decoding the image.
 * @returns `undefined` when the header is incomplete or the type is not supported
 */
export function readImageDimensions(
  content_type: string,
  { buffer, byteOffset, byteLength }: Uint8Array,
): ImageDimensions | undefined {
  try {
    return READERS.get(content_type)?.(new DataView(buffer, byteOffset, byteLength))
  } catch (error) {
    // `DataView` throws it for an offset beyond the end: the header is incomplete.
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

/** Reads markers as decoders do, skipping bytes between segments, up to the first start of frame. */
function readJpeg(view: DataView): ImageDimensions | undefined {
  let offset = 2
  for (;;) {
    while (view.getUint8(offset) !== 0xff) offset += 1
    const marker = view.getUint8(offset + 1)
    if (isFrameMarker(marker))
      return { width: view.getUint16(offset + 7), height: view.getUint16(offset + 5) }
    // SOI, EOI or SOS before a frame header: no dimensions.
    if (marker >= 0xd8 && marker <= 0xda) return undefined
    offset += hasLength(marker) ? 2 + view.getUint16(offset + 2) : 1
  }
}

/** SOF0 to SOF15, except DHT (C4), JPG (C8) and DAC (CC), which share the range. */
function isFrameMarker(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

function hasLength(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xfe && !(marker >= 0xd0 && marker <= 0xd7)
}

function readWebp(view: DataView): ImageDimensions | undefined {
  const chunk = readFourCC(view, 12)
  if (chunk === 'VP8X')
    return { width: 1 + (view.getUint32(23, true) >>> 8), height: 1 + (view.getUint32(26, true) >>> 8) }
  if (chunk === 'VP8 ')
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  if (chunk !== 'VP8L') return undefined
  const bits = view.getUint32(21, true)
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
}

/** Returns the largest width and height of all `ispe` boxes: any described image may be decoded. */
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

/**
 * Returns the contents of all boxes of one type.
 * @throws RangeError when a box of any type is incomplete or has a 64-bit length
 */
function findBoxes(view: DataView, type: string, start = 0): DataView[] {
  const contents: DataView[] = []
  for (let offset = start; offset < view.byteLength; ) {
    const size = view.getUint32(offset) || view.byteLength - offset
    if (size < 8 || offset + size > view.byteLength) throw new RangeError('A box is not whole.')
    if (readFourCC(view, offset + 4) === type)
      contents.push(new DataView(view.buffer, view.byteOffset + offset + 8, size - 8))
    offset += size
  }
  return contents
}

function readFourCC(view: DataView, offset: number): string {
  return String.fromCharCode(
    view.getUint8(offset),
    view.getUint8(offset + 1),
    view.getUint8(offset + 2),
    view.getUint8(offset + 3),
  )
}
