import type { Webhook } from '../api/wire.ts'
import { Mark } from '../parts/mark.tsx'
import { Moment } from '../parts/moment.tsx'

/** The webhook of a job, and its tries. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const { url, events, attempts, next_attempt_at, failed } = webhook
  return (
    <section class="panel" aria-labelledby="webhook-title">
      <h2 id="webhook-title">Webhook</h2>
      <p>
        <bdi class="code-text">{url}</bdi> <span class="faint">for {events.join(', ')}</span>
      </p>
      <p class="faint">
        {next_attempt_at === null ? (
          'No delivery is owed.'
        ) : (
          <>
            A delivery is owed; {failed} tries have failed, and the next is <Moment at={next_attempt_at} />.
          </>
        )}
      </p>
      {attempts.length > 0 && (
        <div class="table-frame" tabIndex={0} role="region" aria-label="Tries of the webhook">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Event</th>
                <th scope="col">Outcome</th>
                <th scope="col">Answer</th>
              </tr>
            </thead>
            <tbody>
              {attempts.map((attempt, index) => (
                <tr key={index}>
                  <td>
                    <Moment at={attempt.attempted_at} />
                  </td>
                  <td>{attempt.event}</td>
                  <td>
                    <Mark mood={attempt.status === 'delivered' ? 'good' : 'bad'}>{attempt.status}</Mark>
                  </td>
                  <td class="wide-cell">
                    {attempt.response_status ?? ''} <bdi>{attempt.error ?? ''}</bdi>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
