import type { ComponentChildren } from 'preact'

/**
 * Drawings of 16 by 16 units, in strokes of the colour of the text. They are functions because an element that is
 * shown in several places keeps the pages alive that showed it.
 */
export const ICONS = {
  alert: () => <path d="M8 2.25 14.5 13.5h-13L8 2.25ZM8 6.5V9.5M8 11.5h.01" />,
  arrow: () => <path d="M2.5 8h11M9.5 4l4 4-4 4" />,
  board: () => (
    <>
      <rect x="2" y="2.5" width="3.25" height="11" rx="1" />
      <rect x="6.4" y="2.5" width="3.25" height="7.5" rx="1" />
      <rect x="10.75" y="2.5" width="3.25" height="4.5" rx="1" />
    </>
  ),
  branch: () => (
    <path d="M2.5 8h3.25c2.5 0 2-4 4.5-4h3.25M11.25 1.75 13.5 4l-2.25 2.25M5.75 8c2.5 0 2 4 4.5 4h3.25M11.25 9.75 13.5 12l-2.25 2.25" />
  ),
  calendar: () => (
    <>
      <rect x="2" y="3" width="12" height="11" rx="1.25" />
      <path d="M2 6.5h12M5.25 1.5v3M10.75 1.5v3" />
    </>
  ),
  chart: () => <path d="M2.5 13.5h11M4.25 11V8.5M8 11V3.5M11.75 11V6" />,
  check: () => <path d="m3 8.5 3.25 3.25L13 5" />,
  clip: () => (
    <path d="m13.25 7.5-5.4 5.4a3.3 3.3 0 0 1-4.7-4.7l5.6-5.6a2.2 2.2 0 0 1 3.1 3.1L6.4 11.2a1.1 1.1 0 0 1-1.55-1.55L10 4.5" />
  ),
  bell: () => <path d="M3.5 11.5h9L11.5 10V7a3.5 3.5 0 0 0-7 0v3l-1 1.5ZM6.75 13.75h2.5" />,
  clock: () => (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.5V8l2.25 1.5" />
    </>
  ),
  columns: () => (
    <>
      <rect x="2" y="2.5" width="12" height="11" rx="1.25" />
      <path d="M6 2.5v11M10 2.5v11" />
    </>
  ),
  company: () => (
    <path d="M3 14V3.25A.75.75 0 0 1 3.75 2.5h5.5a.75.75 0 0 1 .75.75V14M10 6.5h2.25a.75.75 0 0 1 .75.75V14M1.75 14h12.5M5.25 5.5h2.5M5.25 8.25h2.5M5.25 11h2.5" />
  ),
  copy: () => (
    <path d="M5.75 5.75v-2.5a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-2.5M3.25 5.75h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1Z" />
  ),
  dots: () => <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" stroke-width="2.25" />,
  down: () => <path d="m4.5 6.5 3.5 3.5 3.5-3.5" />,
  download: () => (
    <path d="M8 2.25v8M4.75 7.25 8 10.5l3.25-3.25M2.5 10.5v2.25a.75.75 0 0 0 .75.75h9.5a.75.75 0 0 0 .75-.75V10.5" />
  ),
  edit: () => <path d="M10.5 3 13 5.5 5.5 13H3v-2.5L10.5 3Z" />,
  eye: () => (
    <>
      <path d="M1.75 8C3 5.25 5.25 3.75 8 3.75S13 5.25 14.25 8C13 10.75 10.75 12.25 8 12.25S3 10.75 1.75 8Z" />
      <circle cx="8" cy="8" r="1.9" />
    </>
  ),
  fields: () => (
    <>
      <rect x="2" y="3" width="12" height="4" rx="1" />
      <path d="M2.5 10.25h7M2.5 13h4.5" />
    </>
  ),
  filter: () => <path d="M2.5 4h11M4.5 8h7M6.5 12h3" />,
  flag: () => <path d="M3.5 14V2.5h8l-1.5 3 1.5 3h-8" />,
  gear: () => (
    <>
      <circle cx="8" cy="8" r="2.1" />
      <path d="M8 1.75v1.6M8 12.65v1.6M14.25 8h-1.6M3.35 8h-1.6M12.4 3.6l-1.1 1.1M4.7 11.3l-1.1 1.1M12.4 12.4l-1.1-1.1M4.7 4.7 3.6 3.6" />
      <circle cx="8" cy="8" r="4.65" />
    </>
  ),
  grip: () => (
    <>
      <circle cx="6" cy="4" r="1.1" />
      <circle cx="10" cy="4" r="1.1" />
      <circle cx="6" cy="8" r="1.1" />
      <circle cx="10" cy="8" r="1.1" />
      <circle cx="6" cy="12" r="1.1" />
      <circle cx="10" cy="12" r="1.1" />
    </>
  ),
  help: () => (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M6.25 6.25c.2-2.3 3.6-2.2 3.6.1 0 1.4-1.85 1.4-1.85 2.9M8 11.25h.01" />
    </>
  ),
  hook: () => (
    <>
      <circle cx="4" cy="11.5" r="2" />
      <circle cx="12" cy="11.5" r="2" />
      <circle cx="8" cy="4" r="2" />
      <path d="M7 5.75 5 9.75M6 11.5h4M9 5.75l2 4" />
    </>
  ),
  left: () => <path d="m9.5 4.5-3.5 3.5 3.5 3.5" />,
  link: () => (
    <path d="M6.75 9.25a2.75 2.75 0 0 0 3.9 0l2.3-2.3a2.75 2.75 0 0 0-3.9-3.9l-.8.8M9.25 6.75a2.75 2.75 0 0 0-3.9 0l-2.3 2.3a2.75 2.75 0 0 0 3.9 3.9l.8-.8" />
  ),
  list: () => <path d="M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01" />,
  lock: () => (
    <>
      <rect x="3" y="7" width="10" height="7" rx="1.25" />
      <path d="M5.25 7V4.75a2.75 2.75 0 0 1 5.5 0V7" />
    </>
  ),
  mail: () => (
    <>
      <rect x="1.75" y="3" width="12.5" height="10" rx="1.25" />
      <path d="m2.25 4.25 5.75 4.5 5.75-4.5" />
    </>
  ),
  menu: () => <path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />,
  minus: () => <path d="M3.5 8h9" />,
  note: () => <path d="M3 2.5h10v7.5l-3.5 3.5H3v-11ZM13 10H9.5v3.5M5.5 5.5h5M5.5 8h3" />,
  person: () => (
    <>
      <circle cx="8" cy="5" r="2.75" />
      <path d="M2.75 13.75c.5-2.9 2.5-4.25 5.25-4.25s4.75 1.35 5.25 4.25" />
    </>
  ),
  phone: () => (
    <path d="M3.5 2.25h2l1.25 3L5.25 6.5a7.5 7.5 0 0 0 4.25 4.25l1.25-1.5 3 1.25v2a1.25 1.25 0 0 1-1.35 1.25C7 13.4 2.6 9 2.25 3.6A1.25 1.25 0 0 1 3.5 2.25Z" />
  ),
  plus: () => <path d="M8 3v10M3 8h10" />,
  product: () => <path d="M8 1.75 13.75 5v6L8 14.25 2.25 11V5L8 1.75ZM2.5 5.1 8 8.25l5.5-3.15M8 8.25v5.9" />,
  refresh: () => <path d="M13.5 8A5.5 5.5 0 1 1 11.6 3.85M13.5 2v3h-3" />,
  right: () => <path d="m6.5 4.5 3.5 3.5-3.5 3.5" />,
  search: () => (
    <>
      <circle cx="7" cy="7" r="4.5" />
      <path d="m10.5 10.5 3.25 3.25" />
    </>
  ),
  sort: () => <path d="M5 13V3M2.5 5.5 5 3l2.5 2.5M11 3v10M8.5 10.5 11 13l2.5-2.5" />,
  sun: () => (
    <>
      <circle cx="8" cy="8" r="2.75" />
      <path d="M8 1.5v1.25M8 13.25v1.25M1.5 8h1.25M13.25 8h1.25M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9" />
    </>
  ),
  tag: () => (
    <>
      <path d="M2.25 7.5V3a.75.75 0 0 1 .75-.75h4.5L13.75 8.5 8.5 13.75 2.25 7.5Z" />
      <path d="M5 5h.01" />
    </>
  ),
  tasks: () => (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="m5.25 8.25 2 2 3.5-4" />
    </>
  ),
  team: () => (
    <>
      <circle cx="6" cy="5.25" r="2.5" />
      <path d="M1.5 13.25c.4-2.6 2.1-3.75 4.5-3.75s4.1 1.15 4.5 3.75M10.5 2.9a2.5 2.5 0 0 1 0 4.7M12 9.75c1.5.5 2.3 1.7 2.5 3.5" />
    </>
  ),
  trash: () => <path d="M2.5 4.25h11M6 4V2.5h4V4M4 4.25l.6 9.25h6.8L12 4.25M6.75 7v4M9.25 7v4" />,
  up: () => <path d="m4.5 9.5 3.5-3.5 3.5 3.5" />,
  updown: () => <path d="m5 6.25 3-3 3 3M5 9.75l3 3 3-3" />,
  upload: () => (
    <path d="M8 10.5v-8M4.75 5.5 8 2.25l3.25 3.25M2.5 10.5v2.25a.75.75 0 0 0 .75.75h9.5a.75.75 0 0 0 .75-.75V10.5" />
  ),
  x: () => <path d="m4 4 8 8M12 4l-8 8" />,
} satisfies Readonly<Record<string, () => ComponentChildren>>

export type IconName = keyof typeof ICONS
