import { COMMON, type FieldNames, match, matchOwn } from './common-field-names.ts'

export const PEOPLE: FieldNames = {
  full_name: [
    match('full name', 'nome completo'),
    match('contact name', 'person name', 'nome do contato', 'nome da pessoa', 'lead name', 'nome do lead'),
    matchOwn('name', 'nome'),
    match(
      'contact',
      'person',
      'contact person',
      'associated contact',
      'contato',
      'pessoa',
      'pessoa de contato',
    ),
  ],
  first_name: [match('first name', 'given name', 'forename', 'primeiro nome'), matchOwn('first')],
  middle_name: [match('middle name', 'middle names', 'additional name', 'nome do meio', 'segundo nome')],
  last_name: [match('last name', 'family name', 'surname', 'sobrenome', 'último nome'), matchOwn('last')],
  position: [
    match('job title', 'position', 'organization title', 'cargo'),
    matchOwn('role', 'job', 'função'),
    // It may also be `Dr.`
    matchOwn('title'),
  ],
  score: [matchOwn('score', 'lead score', 'pontuação')],
  avatar_url: [matchOwn('avatar url', 'avatar', 'photo', 'photo url', 'picture', 'foto')],
  ...COMMON,
}

export const COMPANIES: FieldNames = {
  full_name: [
    match(
      'company name',
      'organization name',
      'nome da empresa',
      'nome empresa',
      'razão social',
      'nome fantasia',
    ),
    match('company', 'organization', 'organisation', 'empresa', 'organização'),
    match('account name', 'nome da conta', 'associated company', 'primary associated company'),
    matchOwn('name', 'full name', 'nome'),
    match('account'),
  ],
  website: [
    match('website', 'web site', 'website url', 'site', 'homepage', 'home page', 'web page'),
    match('web', 'url', 'página', 'página web'),
    match('domain', 'domain name', 'domain name link url', 'company domain name', 'domínio'),
  ],
  avatar_url: [matchOwn('logo', 'logo url', 'avatar', 'avatar url')],
  ...COMMON,
}
