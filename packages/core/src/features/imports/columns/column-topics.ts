import { isAboutContact } from './contact-words.ts'

const CONSENT = new RegExp(
  `\\b(?:${[
    ...[
      'opt (?:out|in)',
      'optout',
      'optin',
      'opted (?:out|in)',
      'unsubscribed?',
      'subscribed',
      'gdpr',
      'lgpd',
    ],
    ...[
      'do not (?:call|contact|e ?mail|mail|sms|text|disturb|track)',
      'donotcall',
      'consent\\w*',
      'legal basis',
    ],
    ...[
      'marketing (?:contact )?(?:status|permissions?)',
      'email subscription',
      'base legal',
      'descadastrad[oa]',
    ],
    ...['aceita (?:receber|contato|e ?mail|marketing|comunicac)\\w*', 'autoriza\\w*', 'nao perturb[ea]r?'],
    ...['nao (?:ligar|contatar|enviar)', 'opt (?:out|in)s'],
  ].join('|')})\\b`,
)

/** True for a folded name of what people have agreed to, such as `Email Opt Out`. */
export function isConsent(name: string): boolean {
  return CONSENT.test(name)
}

const ATTRIBUTE =
  /\b(?:labels?|types?|status|verified|domain|display name|rotulo|tipo|situacao|verificad[oa]|dominio)\b/

/** True for words that name something about an address, a number or a field beside them. */
export function hasAttribute(words: string): boolean {
  return ATTRIBUTE.test(words) || isConsent(words)
}

/** True for the folded name of a label, type, status or domain of addresses, numbers or pages. */
export function isContactAttribute(name: string): boolean {
  if (!ATTRIBUTE.test(name)) return false
  return isAboutContact(name) || /\b(?:address|endereco)\b/.test(name) || /\b\d+ (?:label|type)$/.test(name)
}

/** Names of columns that systems derive from others. */
const DERIVED =
  /^(?:file as|phonetic .*|yomi .*|.*\byomi|weighted (?:value|amount)|expected revenue|valor ponderado|address \d+ formatted)$/

/** True for the folded name of a copy of other columns, or of what is computed from them. */
export function isDerived(name: string): boolean {
  return DERIVED.test(name)
}
