import { useState } from 'preact/hooks'
import { addressOf } from '../address.ts'
import type { Delivery, WebhookTest } from '../api/wire.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { Lacking } from '../parts/lacking.tsx'
import { Mark } from '../parts/mark.tsx'
import { ReasonField } from '../parts/reason-field.tsx'
import { useSending } from '../parts/use-sending.ts'
import { useSession } from '../session.ts'

/** Sends one signed event to a receiver, to see whether it accepts it. */
export function WebhooksView() {
  const { overview } = useSession()
  const { webhooks, audit } = overview.features
  return (
    <section class="stack" aria-labelledby="webhooks-title">
      <header class="section-head">
        <h1 id="webhooks-title">Test a webhook</h1>
        <a href={addressOf('jobs', { state: 'owing' })}>Webhooks that are owed</a>
      </header>
      {!webhooks && <Lacking feature="webhooks" />}
      {webhooks && !audit && <Lacking feature="audit" />}
      {webhooks && audit && <TestForm />}
    </section>
  )
}

function TestForm() {
  const { api } = useSession()
  const [url, setUrl] = useState('')
  const [owner, setOwner] = useState('')
  const [reason, setReason] = useState('')
  const { isSending, answer, error, send } = useSending<WebhookTest>()
  const signer = owner.trim()
  const body = { url: url.trim(), reason: reason.trim(), ...(signer !== '' && { owner: signer }) }
  return (
    <form
      class="panel act-form test-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSending) send(() => api.post('/webhook-tests', body))
      }}
    >
      <p class="faint">
        The service sends one signed event of the type <span class="code-text">webhook.test</span>, as it
        sends those of jobs, and tries once.
      </p>
      <div class="field">
        <label class="label" for="test-url">
          URL of the receiver
        </label>
        <input
          id="test-url"
          class="input code-text"
          type="url"
          required
          placeholder="https://"
          autocomplete="off"
          spellcheck={false}
          value={url}
          onInput={({ currentTarget }) => setUrl(currentTarget.value)}
        />
      </div>
      <div class="field">
        <label class="label" for="test-owner">
          Owner <span class="faint">(optional)</span>
        </label>
        <input
          id="test-owner"
          class="input"
          autocomplete="off"
          spellcheck={false}
          aria-describedby="test-owner-help"
          value={owner}
          onInput={({ currentTarget }) => setOwner(currentTarget.value)}
        />
        <p id="test-owner-help" class="help">
          Whose secret signs the event. Not needed where all receivers have one secret.
        </p>
      </div>
      <ReasonField value={reason} onChange={setReason} />
      <FailureNotice error={error} isAct />
      <p role="status" class={answer ? 'notice' : 'unseen'}>
        {answer && <Outcome delivery={answer.delivery} />}
      </p>
      <div class="dialog-foot">
        <button
          type="submit"
          class="button primary"
          disabled={isSending || url.trim() === '' || reason.trim() === ''}
        >
          {isSending && <span class="spinner" />}
          Send the test
        </button>
      </div>
    </form>
  )
}

function Outcome({ delivery }: { delivery: Delivery }) {
  const { status, response_status, error } = delivery
  return status === 'delivered' ? (
    <Mark mood="good">The receiver has answered {response_status ?? ''}: it accepts the event.</Mark>
  ) : (
    <>
      <Mark mood="bad">It has not arrived.</Mark> <bdi>{error}</bdi>
      {response_status !== null && ` The receiver has answered ${response_status}.`}
    </>
  )
}
