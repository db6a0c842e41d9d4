import type { SystemExport } from './system-export.ts'

/** Exports of programs that keep addresses. */
export const ADDRESS_BOOK_FILES = [
  {
    ...{ name: 'Google Contacts', source: 'Google Contacts', kind: 'people' },
    signatures: [
      ['E-mail 1 - Label'],
      ['Phone 1 - Label'],
      ['Organization Title', 'Labels'],
      ['First Name', 'File As'],
    ],
    headers: [
      ...['Middle Name', 'Last Name', 'Organization Name', 'Notes', 'E-mail 1 - Value', 'Phone 1 - Value'],
      ...['E-mail 2 - Label', 'E-mail 2 - Value', 'Phone 2 - Label', 'Phone 2 - Value', 'Address 1 - Label'],
      ...[
        'Address 1 - Formatted',
        'Address 1 - Street',
        'Address 1 - City',
        'Address 1 - Region',
        'Birthday',
      ],
      ...[
        'Address 1 - Postal Code',
        'Address 1 - Country',
        'Website 1 - Label',
        'Website 1 - Value',
        'Photo',
      ],
      ...['Phonetic First Name', 'Name Prefix', 'Name Suffix', 'Nickname', 'Organization Department'],
    ],
  },
  {
    ...{ name: 'Google Contacts (old)', source: 'Google Contacts', kind: 'people' },
    signatures: [['E-mail 1 - Type'], ['Phone 1 - Type'], ['Group Membership'], ['Given Name', 'Yomi Name']],
    headers: [
      ...['Name', 'Given Name', 'Additional Name', 'Family Name', 'E-mail 1 - Value', 'Phone 1 - Value'],
      ...[
        'E-mail 2 - Type',
        'E-mail 2 - Value',
        'Phone 2 - Type',
        'Phone 2 - Value',
        'Organization 1 - Type',
      ],
      ...[
        'Organization 1 - Name',
        'Organization 1 - Title',
        'Address 1 - Type',
        'Address 1 - Street',
        'Birthday',
      ],
      ...[
        'Address 1 - City',
        'Address 1 - Region',
        'Address 1 - Country',
        'Website 1 - Value',
        'Notes',
        'Photo',
      ],
    ],
  },
  {
    ...{ name: 'Outlook', source: 'Outlook', kind: 'people' },
    signatures: [
      ['E-mail 2 Address'],
      ['E-mail Display Name'],
      ['E-mail Address', 'Business Phone'],
      ['E-mail Address', 'Mobile Phone'],
      ['Business Phone', 'Home Phone'],
      ['Business Street', 'Job Title'],
    ],
    headers: [
      ...[
        'First Name',
        'Middle Name',
        'Last Name',
        'Title',
        'Suffix',
        'Company',
        'Department',
        'Categories',
        'Notes',
      ],
      ...[
        'E-mail Type',
        'E-mail 2 Type',
        'E-mail 2 Display Name',
        'Business City',
        'Business State',
        'Business Fax',
      ],
      ...[
        'Business Postal Code',
        'Business Country/Region',
        'Home Street',
        'Other Phone',
        'Web Page',
        'Birthday',
      ],
      ...["Assistant's Phone", 'Account', 'Private', 'Business Address PO Box'],
    ],
  },
] as const satisfies readonly SystemExport[]
