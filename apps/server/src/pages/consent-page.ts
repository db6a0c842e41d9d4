import type { Consent } from '@sales-crm/core'
import { avatarInitial, errorSummary, fieldError, hiddenFields } from './form-fields.ts'
import { logo, renderLayout } from './layout.ts'
import { type Html, html, isolateName } from './markup.ts'
import type { PageContext, Problem } from './page-context.ts'
import { scopeLists } from './scope-list.ts'

interface ConsentPageOptions {
  readonly consent: Consent
  readonly problem?: Problem | undefined
}

export function consentPage(ctx: PageContext, { consent, problem }: ConsentPageOptions): Html {
  const { texts, basePath } = ctx
  const words = texts.consent
  const canApprove = consent.workspaces.length > 0
  return renderLayout(
    // The csrf of this page is good for this authorization alone, so the way out is in the page.
    { ...ctx, user: undefined },
    { title: words.title, problem, width: 'broad' },
    html`<div class="meeting" aria-hidden="true">${avatarInitial(consent.app_name, 'app')}<span class="path"></span>${logo()}</div>
<h1>${words.heading(isolateName(consent.app_name))}</h1>
${visitorForm(ctx, consent.authorization_id)}
${consent.publicClient && publicClientNote(ctx, consent.publicClient)}
${errorSummary(ctx, problem, ['workspace'])}
<form method="post" action="${basePath}/oauth/consent">
${hiddenFields(ctx, { request: consent.authorization_id })}
${canApprove ? html`${workspaceChoice(ctx, consent, problem)}${permissionList(ctx, consent)}` : noWorkspaceNote(ctx)}
<p>${redirectNote(ctx, consent)}</p>
<div class="actions">
${canApprove && html`<button class="main" name="decision" value="approve">${words.approve}</button>`}
<button name="decision" value="deny" formnovalidate>${words.deny}</button>
</div>
</form>`,
  )
}

function visitorForm(ctx: PageContext, request: string): Html {
  const { texts, basePath, user } = ctx
  return html`<form class="visitor" method="post" action="${basePath}/sign-out">
${hiddenFields(ctx, { request })}
<p>${texts.consent.signedInAs(html`<strong>${isolateName(user?.email ?? '')}</strong>`)}</p>
<button class="quiet">${texts.consent.notYou}</button>
</form>`
}

/** A choice is never made for the user; with a single workspace there is none. */
function workspaceChoice(
  { texts }: PageContext,
  { workspaces }: Consent,
  problem: Problem | undefined,
): Html {
  const words = texts.consent
  const [only, ...others] = workspaces
  if (only && others.length === 0) {
    return html`<input type="hidden" name="workspace" value="${only.id}">
<h2>${words.workspace}</h2>
<p class="only">${avatarInitial(only.name, 'workspace')}${isolateName(only.name)}</p>`
  }
  const hasError = problem?.fields?.['workspace'] !== undefined
  return html`<fieldset class="choice"${hasError && html` aria-describedby="workspace-fault"`}>
<legend>${words.chooseWorkspace}</legend>
${fieldError(problem, 'workspace')}
<div class="options">${workspaces.map(
    ({ id, name }, index) =>
      html`<label class="option"><input type="radio" name="workspace" value="${id}" required${index === 0 && html` id="workspace"`}>${isolateName(name)}</label>`,
  )}</div>
</fieldset>`
}

/** Nobody stands behind the name of a program: where it is described is all there is to go by. */
function publicClientNote(
  { texts }: PageContext,
  { metadata_url }: NonNullable<Consent['publicClient']>,
): Html {
  const { selfNamed, describedAt } = texts.consent
  return html`<p class="caution">${selfNamed}${metadata_url !== null && html` ${describedAt(hostOf(metadata_url))}`}</p>`
}

function permissionList({ texts }: PageContext, { scopes, publicClient: program }: Consent): Html {
  const words = texts.consent
  return html`<h2>${words.permissions}</h2>
${scopeLists(texts, scopes)}
<p class="fine">${words.asYou} ${words.lasts}</p>
<p class="caution">${program ? words.programCaution : words.caution}</p>`
}

function noWorkspaceNote({ texts }: PageContext): Html {
  const { title, text } = texts.consent.noWorkspace
  return html`<h2>${title}</h2>
<p>${text}</p>`
}

/** The host as the network knows it: letters that only look like others show as `xn--`. */
function redirectNote({ texts }: PageContext, { redirect_uri, workspaces }: Consent): Html {
  const { goesTo, goesToDenied, thisDevice } = texts.consent
  const { hostname } = new URL(redirect_uri)
  const onThisDevice = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
  const host = hostOf(redirect_uri)
  const where = onThisDevice ? thisDevice(host) : host
  return workspaces.length === 0 ? goesToDenied(where) : goesTo(where)
}

function hostOf(address: string): Html {
  return html`<strong><bdi>${new URL(address).host}</bdi></strong>`
}
