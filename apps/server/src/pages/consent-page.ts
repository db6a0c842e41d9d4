import type { Consent } from '@sales-crm/core'
import { isLoopback } from '../http/local-request.ts'
import { avatarInitial, errorSummary, fieldError, hiddenFields } from './form-fields.ts'
import { logo, renderLayout } from './layout.ts'
import { type Html, html, isolateName } from './markup.ts'
import type { FormErrors, PageContext } from './page-context.ts'
import { scopeLists } from './scope-list.ts'

interface ConsentPageOptions {
  readonly consent: Consent
  readonly formErrors?: FormErrors | undefined
}

export function consentPage(ctx: PageContext, { consent, formErrors }: ConsentPageOptions): Html {
  const { texts, basePath } = ctx
  const words = texts.consent
  const canApprove = consent.workspaces.length > 0
  const appInitial = avatarInitial(consent.app_name, 'app')
  return renderLayout(
    // The CSRF token of this page is valid for its authorization only, so the page has a sign-out form of its
    // own.
    { ...ctx, user: undefined },
    { title: words.title, formErrors, width: 'broad' },
    html`<div class="meeting" aria-hidden="true">${appInitial}<span class="path"></span>${logo()}</div>
<h1>${words.heading(isolateName(consent.app_name))}</h1>
${signedInForm(ctx, consent.authorization_id)}
${consent.publicClient && publicClientNote(ctx, consent.publicClient)}
${errorSummary(ctx, formErrors, ['workspace'])}
<form method="post" action="${basePath}/oauth/consent">
${hiddenFields(ctx, { request: consent.authorization_id })}
${
  canApprove
    ? html`${workspaceChoice(ctx, consent, formErrors)}${permissionList(ctx, consent)}`
    : noWorkspaceNote(ctx)
}
<p>${redirectNote(ctx, consent)}</p>
<div class="actions">
${canApprove && html`<button class="main" name="decision" value="approve">${words.approve}</button>`}
<button name="decision" value="deny" formnovalidate>${words.deny}</button>
</div>
</form>`,
  )
}

function signedInForm(ctx: PageContext, request: string): Html {
  const { texts, basePath, user } = ctx
  return html`<form class="signed-in" method="post" action="${basePath}/sign-out">
${hiddenFields(ctx, { request })}
<p>${texts.consent.signedInAs(html`<strong>${isolateName(user?.email ?? '')}</strong>`)}</p>
<button class="quiet">${texts.consent.notYou}</button>
</form>`
}

/** Preselects no workspace. A user with a single workspace has nothing to choose. */
function workspaceChoice(
  { texts }: PageContext,
  { workspaces }: Consent,
  formErrors: FormErrors | undefined,
): Html {
  const words = texts.consent
  const [firstWorkspace, ...others] = workspaces
  if (firstWorkspace && others.length === 0) {
    return html`<input type="hidden" name="workspace" value="${firstWorkspace.id}">
<h2>${words.workspace}</h2>
<p class="only">${avatarInitial(firstWorkspace.name, 'workspace')}${isolateName(firstWorkspace.name)}</p>`
  }
  const hasError = formErrors?.fields?.['workspace'] !== undefined
  const options = workspaces.map(({ id, name }, index) => {
    const idAttribute = index === 0 && html` id="workspace"`
    const input = html`<input type="radio" name="workspace" value="${id}" required${idAttribute}>`
    return html`<label class="option">${input}${isolateName(name)}</label>`
  })
  return html`<fieldset class="choice"${hasError && html` aria-describedby="workspace-error"`}>
<legend>${words.chooseWorkspace}</legend>
${fieldError(formErrors, 'workspace')}
<div class="options">${options}</div>
</fieldset>`
}

/** Warns that the client's name is not verified. Only the host of its metadata document identifies it. */
function publicClientNote(
  { texts }: PageContext,
  { metadata_url }: NonNullable<Consent['publicClient']>,
): Html {
  const { selfNamed, describedAt } = texts.consent
  const description = metadata_url !== null && html` ${describedAt(hostOf(metadata_url))}`
  return html`<p class="caution">${selfNamed}${description}</p>`
}

function permissionList({ texts }: PageContext, { scopes, publicClient }: Consent): Html {
  const words = texts.consent
  return html`<h2>${words.permissions}</h2>
${scopeLists(texts, scopes)}
<p class="fine">${words.asYou} ${words.lasts}</p>
<p class="caution">${publicClient ? words.programCaution : words.caution}</p>`
}

function noWorkspaceNote({ texts }: PageContext): Html {
  const { title, text } = texts.consent.noWorkspace
  return html`<h2>${title}</h2>
<p>${text}</p>`
}

/** Shows the ASCII form of the host, in which look-alike letters appear as `xn--`. */
function redirectNote({ texts }: PageContext, { redirect_uri, workspaces }: Consent): Html {
  const { goesTo, goesToDenied, thisDevice } = texts.consent
  const host = hostOf(redirect_uri)
  const destination = isLoopback(redirect_uri) ? thisDevice(host) : host
  return workspaces.length === 0 ? goesToDenied(destination) : goesTo(destination)
}

function hostOf(address: string): Html {
  return html`<strong><bdi>${new URL(address).host}</bdi></strong>`
}
