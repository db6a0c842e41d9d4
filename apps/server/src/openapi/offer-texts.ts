/** Descriptions of the parts of offers, and of the sender, as `RESPONSE_FIELD_DESCRIPTIONS` has them. */
export const OFFER_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'Workspace.sender': 'Who makes the offers of the workspace; `null` until it is set.',
  legal_name: 'Legal name of the sender.',
  tax_id: 'Tax id of the sender, such as a CNPJ or a VAT number.',
  address: 'Address of the sender, in lines.',
  'Sender.email': 'E-mail address of the sender.',
  'Sender.logo_url': 'URL of the logo. It requires no token.',
  company_name: 'Name of the company.',
  person_name: 'Name of the person.',
  'Offer.sender.email': 'E-mail address of the sender.',
  'Offer.recipient.email': 'E-mail address of the person, else that of the company.',
  'OfferLink.url': 'Address of the document.',
}

/** Descriptions of the fields of their input, as `REQUEST_FIELD_DESCRIPTIONS` has them. */
export const OFFER_INPUT_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'WorkspaceChanges.sender':
    'Who makes the offers of the workspace. Fields that are left out stay; `null` takes the sender away.',
  'WorkspaceChanges.sender.legal_name': 'Legal name. Required for the first sender.',
  'WorkspaceChanges.sender.tax_id': 'Tax id, such as a CNPJ or a VAT number.',
  'WorkspaceChanges.sender.address': 'Address, in lines.',
  'WorkspaceChanges.sender.email': 'E-mail address. Links that are over show it.',
  'WorkspaceChanges.sender.logo':
    'A PNG or JPEG image in Base64, with or without a data URI prefix. At most 102 400 bytes, and 2000 by 2000 pixels.',
}

/** Examples of schemas of offers, by schema name. */
export const OFFER_EXAMPLES: Readonly<Record<string, object>> = {
  NewOffer: { valid_until: '2026-03-31', language: 'pt-BR', notes: 'Pagamento em até 3 parcelas.' },
  OfferLink: { url: 'https://crm.example/offers/crm_of_01a1fc31' },
}
