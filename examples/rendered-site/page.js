import { html } from 'hono/html'

/** Renders the page, without people if they were not loaded. `html` escapes every value. */
export function renderPage({ people, search = '', input = {}, errors = {} }) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>People</title>
        <style>
          body { font: 1rem/1.5 system-ui; max-width: 40rem; margin: 2rem auto; padding: 0 1rem }
          label, input, button { display: block; font: inherit }
          input { width: 100%; box-sizing: border-box; margin-bottom: 0.5rem }
          table { width: 100%; border-collapse: collapse; text-align: left }
          [role='alert'] { color: #b3261e }
        </style>
      </head>
      <body>
        <h1>People</h1>
        <form role="search">
          ${renderField({ name: 'search', label: 'Search', value: search, error: errors.search })}
          <button>Search</button>
        </form>
        ${people && renderTable(people)}
        <h2>Add a person</h2>
        <form method="post" action="/people">
          <input type="hidden" name="key" value="${crypto.randomUUID()}" />
          ${renderField({
            name: 'full_name',
            label: 'Name',
            value: input.full_name,
            error: errors.full_name,
          })}
          ${renderField({
            name: 'email',
            label: 'E-mail (optional)',
            value: input.email,
            error: errors['emails[0].email'],
          })}
          <button>Add</button>
        </form>
      </body>
    </html>`
}

function renderTable({ data, meta }) {
  const rows = data.map(
    ({ full_name, emails }) => html`<tr><td>${full_name}</td><td>${emails[0]?.email}</td></tr>`,
  )
  return html`<table>
    <caption>${data.length} of ${meta.total}</caption>
    <thead><tr><th scope="col">Name</th><th scope="col">E-mail</th></tr></thead>
    <tbody>${rows}</tbody>
  </table>`
}

function renderField({ name, label, value = '', error }) {
  return html`<label for="${name}">${label}</label>
    <input id="${name}" name="${name}" value="${value}" aria-describedby="${name}-error" />
    <p id="${name}-error" ${error ? html`role="alert"` : 'hidden'}>${error}</p>`
}
