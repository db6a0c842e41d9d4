/** The custom fields of the workspace that the file fills. */
export const CUSTOM_FIELDS = [
  { label: 'Segment', key: 'segment', type: 'text', show_people: true },
  { label: 'Seats', key: 'seats', type: 'number', show_people: true },
  { label: 'Customer since', key: 'customer_since', type: 'date', show_people: true },
] as const

const FIRST_NAMES = ['Ana', 'Bruno', 'Célia', 'Davi', 'Elisa', 'Fábio', 'Gil', 'Helena', 'Ivo', 'Joana']
const LAST_NAMES = ['Almeida', 'Brandt', 'Costa', 'Dias', 'Esteves', 'Ferraz', 'Gomes', 'Horta', 'Inácio']
const COMPANIES = ['Aurora', 'Boreal', 'Cedro', 'Delta', 'Estrela', 'Farol', 'Girassol', 'Horizonte']
const SEGMENTS = ['Retail', 'Industry', 'Services', 'Public']
const PEOPLE_PER_COMPANY = 10

/** A file of people at companies, as another system exports it: ten people in a row have one company. */
export function writePeopleFile(people: number): Uint8Array<ArrayBuffer> {
  const lines = ['First name,Last name,Email,Phone,Position,Company,Segment,Seats,Customer since']
  for (let index = 0; index < people; index += 1) {
    const company = Math.floor(index / PEOPLE_PER_COMPANY)
    const number = String(index).padStart(7, '0')
    lines.push(
      [
        pick(FIRST_NAMES, index),
        `${pick(LAST_NAMES, index)} ${number}`,
        `p${number}@mail.example`,
        `+55 11 9${number.slice(0, 4)}-${number.slice(3)}`,
        'Buyer',
        `${pick(COMPANIES, company)} ${company} Ltda`,
        pick(SEGMENTS, index),
        String(1 + (index % 90)),
        `20${String(10 + (index % 15))}-0${1 + (index % 9)}-1${index % 10}`,
      ].join(','),
    )
  }
  return new TextEncoder().encode(`${lines.join('\r\n')}\r\n`)
}

function pick(values: readonly string[], index: number): string {
  return values[index % values.length]!
}
