import type { Consent } from '@sales-crm/core'
import { alertOf, faultOf, hidden, initial } from './form.ts'
import { mark, page } from './layout.ts'
import { type Html, html, named } from './markup.ts'
import type { PageContext, Problem } from './page.ts'
import { scopeLists } from './scopes.ts'

interface Asked {
  readonly consent: Consent
  readonly problem?: Problem | undefined
}

export function consentPage(ctx: PageContext, { consent, problem }: Asked): Html {
  const { texts, basePath } = ctx
  const words = texts.consent
  const possible = consent.workspaces.length > 0
  return page(
    // The csrf of this page is good for this authorization alone, so the way out is in the page.
    { ...ctx, user: undefined },
    { title: words.title, problem, room: 'broad' },
    html`<div class="meeting" aria-hidden="true">${initial(consent.app_name, 'app')}<span class="path"></span>${mark()}</div>
<h1>${words.heading(named(consent.app_name))}</h1>
${visitor(ctx, consent.authorization_id)}
${consent.program && provenance(ctx, consent.program)}
${alertOf(ctx, problem, ['workspace'])}
<form method="post" action="${basePath}/oauth/consent">
${hidden(ctx, { request: consent.authorization_id })}
${possible ? html`${workspaces(ctx, consent, problem)}${permissions(ctx, consent)}` : nothingToShare(ctx)}
<p>${destination(ctx, consent)}</p>
<div class="actions">
${possible && html`<button class="main" name="decision" value="approve">${words.approve}</button>`}
<button name="decision" value="deny" formnovalidate>${words.deny}</button>
</div>
</form>`,
  )
}

function visitor(ctx: PageContext, request: string): Html {
  const { texts, basePath, user } = ctx
  return html`<form class="visitor" method="post" action="${basePath}/sign-out">
${hidden(ctx, { request })}
<p>${texts.consent.signedInAs(html`<strong>${named(user?.email ?? '')}</strong>`)}</p>
<button class="quiet">${texts.consent.notYou}</button>
</form>`
}

/** A choice is never made for the user; with a single workspace there is none. */
function workspaces({ texts }: PageContext, { workspaces }: Consent, problem: Problem | undefined): Html {
  const words = texts.consent
  const [only, ...others] = workspaces
  if (only && others.length === 0) {
    return html`<input type="hidden" name="workspace" value="${only.id}">
<h2>${words.workspace}</h2>
<p class="only">${initial(only.name, 'workspace')}${named(only.name)}</p>`
  }
  const fault = problem?.fields?.['workspace'] !== undefined
  return html`<fieldset class="choice"${fault && html` aria-describedby="workspace-fault"`}>
<legend>${words.chooseWorkspace}</legend>
${faultOf(problem, 'workspace')}
<div class="options">${workspaces.map(
    ({ id, name }, index) =>
      html`<label class="option"><input type="radio" name="workspace" value="${id}" required${index === 0 && html` id="workspace"`}>${named(name)}</label>`,
  )}</div>
</fieldset>`
}

/** Nobody stands behind the name of a program: where it is described is all there is to go by. */
function provenance({ texts }: PageContext, { metadata_url }: NonNullable<Consent['program']>): Html {
  const { selfNamed, describedAt } = texts.consent
  return html`<p class="caution">${selfNamed}${metadata_url !== null && html` ${describedAt(hostOf(metadata_url))}`}</p>`
}

function permissions({ texts }: PageContext, { scopes, program }: Consent): Html {
  const words = texts.consent
  return html`<h2>${words.permissions}</h2>
${scopeLists(texts, scopes)}
<p class="fine">${words.asYou} ${words.lasts}</p>
<p class="caution">${program ? words.programCaution : words.caution}</p>`
}

function nothingToShare({ texts }: PageContext): Html {
  const { title, text } = texts.consent.noWorkspace
  return html`<h2>${title}</h2>
<p>${text}</p>`
}

/** The host as the network knows it: letters that only look like others show as `xn--`. */
function destination({ texts }: PageContext, { redirect_uri, workspaces }: Consent): Html {
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
