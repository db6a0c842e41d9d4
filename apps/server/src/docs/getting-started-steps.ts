import { readFileSync } from 'node:fs'
import { PROGRAMS } from '../process/program-names.ts'

const RECEIVER_SCRIPT = readFileSync(new URL('./receiver.js', import.meta.url), 'utf8')
const TOKEN = '-H "Authorization: Bearer $TOKEN"'
const JSON_TYPE = "-H 'Content-Type: application/json'"
/** Continues a command on the next line. */
const LINE_CONTINUATION = '\\\n '
const CLIENT = '-d client_id="$CLIENT_ID" -d client_secret="$CLIENT_SECRET"'
const KEEP_TOKENS = `printf '%s\\n' "$TOKENS"
TOKEN=$(printf '%s' "$TOKENS" | field access_token)
REFRESH_TOKEN=$(printf '%s' "$TOKENS" | field refresh_token)`

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Sets `PORT` for a local service that does not listen on the default port. */
function portAssignment(baseUrl: string): string {
  const { protocol, port } = new URL(baseUrl)
  return protocol === 'http:' && port !== '3000' ? `PORT=${port || '80'} ` : ''
}

/**
 * Returns the blocks to paste into a terminal with bash or zsh. They contain no comments, which interactive
 * zsh does not support, and no `!`, which bash expands from its history. A `read` ends its block, because it
 * would consume the lines pasted after it.
 */
export function gettingStartedSteps(baseUrl: string) {
  return {
    begin: `BASE=${shellQuote(baseUrl)}
field() { sed -n "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/p"; }
printf 'Your e-mail address: '; read -r EMAIL`,
    register: `APP=$(curl -s "$BASE/v1/auth/register-app" ${LINE_CONTINUATION} ${JSON_TYPE} -d @- <<END
{
  "name": "My first app",
  "email": "$EMAIL",
  "redirect_uris": ["http://localhost:8976/callback"],
  "scopes": ["people:read", "people:write", "webhooks:manage"]
}
END
)
printf '%s\\n' "$APP"
CLIENT_ID=$(printf '%s' "$APP" | field client_id)`,
    mail: `grep -ho "$BASE/credentials/[A-Za-z0-9_]*" ${LINE_CONTINUATION} "$(ls -t data/mail/*.eml | head -n 1)" | head -n 1`,
    secret: `printf 'Client secret: '; read -rs CLIENT_SECRET; echo`,
    authorize: `echo "$BASE/oauth/authorize?client_id=$CLIENT_ID&response_type=code&state=start&redirect_uri=http://localhost:8976/callback"`,
    address: `printf 'Address: '; read -r ADDRESS`,
    exchange: `CODE=\${ADDRESS#*code=}
CODE=\${CODE%%&*}
TOKENS=$(curl -s "$BASE/oauth/token" -d grant_type=authorization_code ${LINE_CONTINUATION} -d code="$CODE" ${CLIENT})
${KEEP_TOKENS}`,
    create: `curl -sw '\\n' "$BASE/v1/people" ${TOKEN} ${JSON_TYPE} ${LINE_CONTINUATION} -d '{"full_name": "Ada Example", "emails": [{"email": "ada@example.com"}]}'`,
    find: `curl -sw '\\n' "$BASE/v1/people?search=ada" ${TOKEN}`,
    refresh: `TOKENS=$(curl -s "$BASE/oauth/token" -d grant_type=refresh_token ${LINE_CONTINUATION} -d refresh_token="$REFRESH_TOKEN" ${CLIENT})
${KEEP_TOKENS}`,
    certificate: `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes ${LINE_CONTINUATION} -days 30 -subj /CN=localhost -addext subjectAltName=DNS:localhost ${LINE_CONTINUATION} -keyout key.pem -out cert.pem`,
    restart: `${portAssignment(baseUrl)}WEBHOOK_ALLOW_PRIVATE=true NODE_EXTRA_CA_CERTS=cert.pem ${PROGRAMS.demo}`,
    hook: `printf 'https address of the receiver: '; read -r HOOK_URL`,
    webhook: `WEBHOOK=$(curl -s "$BASE/v1/webhooks" ${TOKEN} ${LINE_CONTINUATION} ${JSON_TYPE} -d @- <<END
{ "url": "$HOOK_URL", "events": ["person.created"], "auth_enable": true }
END
)
printf '%s\\n' "$WEBHOOK"
WEBHOOK_ID=$(printf '%s' "$WEBHOOK" | field id)
export WEBHOOK_SECRET=$(printf '%s' "$WEBHOOK" | field webhook_secret)`,
    receiver: `cat > receiver.mjs <<'END'
${RECEIVER_SCRIPT}END
node receiver.mjs & RECEIVER=$!`,
    test: `curl -sw '\\n' -X POST "$BASE/v1/webhooks/$WEBHOOK_ID/test" ${TOKEN}`,
    event: `curl -sw '\\n' "$BASE/v1/people" ${TOKEN} ${JSON_TYPE} ${LINE_CONTINUATION} -d '{"full_name": "Grace Example"}'`,
    log: `curl -sw '\\n' "$BASE/v1/webhooks/$WEBHOOK_ID/deliveries" ${TOKEN}`,
    end: `kill "$RECEIVER"`,
  } as const
}

export type GettingStartedSteps = ReturnType<typeof gettingStartedSteps>
