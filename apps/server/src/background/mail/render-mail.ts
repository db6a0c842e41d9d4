import type { OutgoingMail } from '@sales-crm/core'
import type { Mail } from '@sales-crm/node'
import { html } from 'hono/html'
import type { MailContent, MailTranslation } from './mail-translation.ts'
import { en } from './translations/en.ts'
import { ptBr } from './translations/pt-br.ts'

const SIGNATURE = 'Sales CRM'

/** Renders a mail in the language of the recipient, or in English if it is not supported. */
export function renderMail(mail: OutgoingMail): Mail {
  const translation = /^pt\b/i.test(mail.language) ? ptBr : en
  const content = translate(mail, translation)
  const link = 'link' in mail ? mail.link : undefined
  return {
    to: mail.to,
    subject: content.subject,
    text: renderText(content, link),
    html: renderHtml(content, link, translation),
  }
}

function translate(mail: OutgoingMail, translation: MailTranslation): MailContent {
  switch (mail.kind) {
    case 'app_registered':
      return translation.app_registered(mail)
    case 'app_rotated':
      return translation.app_rotated(mail)
    case 'invitation':
      return translation.invitation(mail)
    case 'password_reset':
      return translation.password_reset(mail)
    case 'password_changed':
      return translation.password_changed(mail)
    case 'sign_in_attempts':
      return translation.sign_in_attempts(mail)
    case 'notice':
      return translation.notice(mail)
    case 'tasks_of_day':
      return translation.tasks_of_day(mail)
  }
}

function renderText({ greeting, opening, closing }: MailContent, link: string | undefined): string {
  const paragraphs = [greeting, ...opening, ...(link === undefined ? [] : [link]), ...closing, SIGNATURE]
  return `${paragraphs.join('\n\n')}\n`
}

/**
 * Renders one column without tables. Colours are the mail client's own, light or dark, except for the button,
 * which is readable on both.
 */
function renderHtml(
  { subject, greeting, opening, button, closing }: MailContent,
  link: string | undefined,
  { tag, orCopy }: MailTranslation,
): string {
  const paragraph = (text: string) => html`<p style="margin:0 0 16px">${text}</p>\n`
  const linkHtml =
    link === undefined
      ? ''
      : html`<p style="margin:24px 0"><a href="${link}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0e5a49;color:#ffffff;font-weight:600;text-decoration:none">${button}</a></p>
<p style="margin:0 0 24px;font-size:14px">${orCopy}<br><span style="word-break:break-all">${link}</span></p>
`
  return `${html`<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${subject}</title>
<style>:root{color-scheme:light dark}</style>
</head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif">
<div style="max-width:560px;margin:0 auto">
${[greeting, ...opening].map(paragraph)}${linkHtml}${closing.map(paragraph)}<p style="margin:24px 0 0">${SIGNATURE}</p>
</div>
</body>
</html>
`}`
}
