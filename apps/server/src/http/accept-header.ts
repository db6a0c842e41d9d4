/** True if an `Accept` header names `text/html`. A wildcard does not count: browsers name the type. */
export function acceptsHtml(accept: string | undefined): boolean {
  return includesValue(accept, 'text/html')
}

/** True if an `Accept-Encoding` header names the encoding. */
export function acceptsEncoding(acceptEncoding: string | undefined, encoding: 'br' | 'gzip'): boolean {
  return includesValue(acceptEncoding, encoding)
}

function includesValue(header: string | undefined, name: string): boolean {
  return (header ?? '').split(',').some((one) => {
    const [value, ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
    return value === name && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}
